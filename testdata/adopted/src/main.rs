#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().init();
    controller::run(kube::Client::try_default().await?).await;
    Ok(())
}
