make_types!();
