// Copyright Example Inc.
// SPDX-License-Identifier: Apache-2.0

//! Controllers, one module per kind.
