//! The names and paths of conversions.

use crate::model::Key;
use crate::scaffold::storage::type_folder;

/// Returns the path of a spoke's conversion file, in the folder of the spoke's types.
pub(in crate::scaffold) fn conversion_file(spoke: &Key) -> String {
    format!("{}/{}.rs", type_folder(spoke), conversion_module(spoke))
}

/// Returns the name of the module with the conversions of a kind.
pub(in crate::scaffold) fn conversion_module(key: &Key) -> String {
    format!("{}_conversion", key.kind_module())
}
