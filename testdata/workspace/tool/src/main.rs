use kube::CustomResourceExt;

fn main() -> anyhow::Result<()> {
    println!("{}", serde_json::to_string_pretty(&shop_orders::crd::Item::crd())?);
    Ok(())
}
