use kube::CustomResourceExt;

fn main() -> anyhow::Result<()> {
    println!("{}", serde_json::to_string_pretty(&controller::Document::crd())?);
    Ok(())
}
