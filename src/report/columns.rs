//! Formats tables in the same way as kubectl.

/// Pads each column to its widest cell, with three blanks between the columns.
pub fn columns<Row: AsRef<[String]>>(rows: &[Row]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.as_ref().get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let count = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let line = |row: &Row| {
        let cells = row.as_ref().iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("   ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
