//! Checks the fields, functions and variables that a CEL expression names.

use super::functions::{self, TWO_VARIABLES};
use super::shape::Shape;
use crate::finding::Lint;
use crate::schema::finding::SchemaFinding;
use crate::schema::re2;
use cel::IdedExpr;
use cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, SelectExpr};

pub(crate) static NO_CEL: Lint = Lint::error(
    "OP501",
    "a validation rule that is not valid CEL",
    "The server reports `compilation failed: ERROR: <input>:1:9: Syntax error` and the position.",
    "#[x_kube(validation = \"self.size = 1\")]",
    "#[x_kube(validation = \"self.size == 1\")]",
);

pub(crate) static UNKNOWN_FIELD: Lint = Lint::error(
    "OP502",
    "a validation rule that uses an unknown field",
    "The server reports `undefined field`. A rule uses the field names of the YAML, and escapes names that are not \
     valid in CEL: `foo-bar` is `foo__dash__bar`, `in` is `__in__`. Of `metadata`, a rule can use only `name` and \
     `generateName`; fields without a schema are not visible.",
    "#[x_kube(validation = \"self.max_size > 1\")] // struct Pool { #[serde(rename_all = \"camelCase\")] max_size: i32 }",
    "#[x_kube(validation = \"self.maxSize > 1\")]",
);

pub(crate) static UNKNOWN_NAME: Lint = Lint::error(
    "OP503",
    "a validation rule that uses an unknown function or variable",
    "The server reports `undeclared reference`. A rule can use `self`, `oldSelf`, the variables of a macro such as \
     `all(x, ..)`, and the functions on https://kubernetes.io/docs/reference/using-api/cel/.",
    "#[x_kube(validation = \"len(name) > 1\")]",
    "#[x_kube(validation = \"size(self.name) > 1\")]",
);

/// The variables that an expression can use.
pub(super) struct Variables<'a> {
    /// The shape (the known structure) of the values `self` and `oldSelf`.
    pub(super) own: Shape<'a>,
    /// True if `oldSelf` is an optional, which may have no value.
    pub(super) optional_old: bool,
}

/// The result of checking a CEL expression: the findings, and whether the expression uses `oldSelf`.
#[derive(Default)]
pub(super) struct ExpressionCheck {
    pub(super) findings: Vec<SchemaFinding>,
    pub(super) uses_old: bool,
}

/// Checks an expression. Returns the findings, and whether the expression uses `oldSelf`.
pub(super) fn read(expression: &IdedExpr, variables: Variables<'_>) -> ExpressionCheck {
    let mut reader = Reader { variables, scopes: Vec::new(), said: ExpressionCheck::default() };
    reader.read(expression);
    reader.said
}

struct Reader<'a> {
    variables: Variables<'a>,
    /// The variables of the macros around the current expression; the variables of the innermost macro are last.
    scopes: Vec<(String, Shape<'a>)>,
    said: ExpressionCheck,
}

impl<'a> Reader<'a> {
    fn add(&mut self, finding: SchemaFinding) {
        if !self.said.findings.contains(&finding) {
            self.said.findings.push(finding);
        }
    }

    fn read_all<'e>(&mut self, expressions: impl IntoIterator<Item = &'e IdedExpr>) {
        for expression in expressions {
            self.read(expression);
        }
    }

    fn read(&mut self, expression: &IdedExpr) -> Shape<'a> {
        match &expression.expr {
            Expr::Unspecified | Expr::Literal(_) => Shape::Unknown,
            Expr::Ident(name) => self.identifier(name),
            Expr::Select(select) => self.select(select),
            Expr::Call(call) => self.call(call),
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::List(list) => {
                let items: Vec<Shape> = list.elements.iter().map(|item| self.read(item)).collect();
                Shape::List(Box::new(if items.len() == 1 && list.optional_indices.is_empty() {
                    items[0].clone()
                } else {
                    Shape::Unknown
                }))
            }
            Expr::Map(map) => self.entries(map.entries.iter().map(|entry| &entry.expr)),
            Expr::Struct(made) => self.entries(made.entries.iter().map(|entry| &entry.expr)),
        }
    }

    fn entries<'e>(&mut self, entries: impl Iterator<Item = &'e EntryExpr>) -> Shape<'a> {
        for entry in entries {
            match entry {
                EntryExpr::StructField(field) => drop(self.read(&field.value)),
                EntryExpr::MapEntry(entry) => self.read_all([&entry.key, &entry.value]),
            }
        }
        Shape::Unknown
    }

    fn identifier(&mut self, name: &str) -> Shape<'a> {
        if let Some((_, shape)) = self.scopes.iter().rev().find(|(own, _)| own == name) {
            return shape.clone();
        }
        match name.strip_prefix('.').unwrap_or(name) {
            "self" => self.variables.own.clone(),
            "oldSelf" => {
                self.said.uses_old = true;
                let own = self.variables.own.clone();
                if self.variables.optional_old { Shape::Optional(Box::new(own)) } else { own }
            }
            name if functions::is_name(name) => Shape::Unknown,
            name => {
                let hint = if self.variables.own.has_field(name) {
                    format!("self.{}", super::shape::escape(name))
                } else {
                    format!("write a field as `self.{name}`, and a string as `'{name}'`")
                };
                self.add(SchemaFinding::new(&UNKNOWN_NAME, format!("there is no variable `{name}`"), hint));
                Shape::Unknown
            }
        }
    }

    fn select(&mut self, select: &SelectExpr) -> Shape<'a> {
        let operand = self.read(&select.operand);
        self.field(&operand, &select.operand, &select.field)
    }

    fn field(&mut self, operand: &Shape<'a>, of: &IdedExpr, name: &str) -> Shape<'a> {
        match operand.select(name) {
            Ok(shape) => shape,
            Err(error) => {
                let reason = format!("`{}.{name}` is not there: {}", text(of), error.reason);
                self.add(SchemaFinding::new(&UNKNOWN_FIELD, reason, error.hint));
                Shape::Unknown
            }
        }
    }

    fn call(&mut self, call: &CallExpr) -> Shape<'a> {
        let name = call.func_name.as_str();
        let target = match &call.target {
            // The target is a namespace, as in `sets.contains(..)`.
            Some(target) if self.is_namespace(target) => {
                if let (Expr::Ident(space), "bind", [IdedExpr { expr: Expr::Ident(variable), .. }, value, within]) =
                    (&target.expr, name, call.args.as_slice())
                    && space == "cel"
                {
                    let value = self.read(value);
                    return self.read_with_variables([(variable.clone(), value)], within);
                }
                None
            }
            Some(target) => Some(self.read(target)),
            None => None,
        };
        if !functions::is_function(name) {
            let reason = format!("there is no function `{name}`");
            let hint = functions::intended_function(name)
                .map_or_else(|| super::parse::LANGUAGE.to_owned(), |meant| format!("{meant}(..)"));
            self.add(SchemaFinding::new(&UNKNOWN_NAME, reason, hint));
        }
        if let ("matches" | "find" | "findAll", Some(pattern)) = (name, pattern(call))
            && let Some(wrong) = re2::fault(pattern)
        {
            let reason = format!("the regular expression `{pattern}` {wrong}");
            self.add(SchemaFinding::new(&NO_CEL, reason, "use a regular expression that RE2 supports"));
        }
        match (target, call.args.as_slice()) {
            (
                Some(target),
                [IdedExpr { expr: Expr::Ident(one), .. }, IdedExpr { expr: Expr::Ident(two), .. }, rest @ ..],
            ) if TWO_VARIABLES.contains(&name) && !rest.is_empty() => {
                let item = target.item();
                for part in rest {
                    self.read_with_variables([(one.clone(), Shape::Unknown), (two.clone(), item.clone())], part);
                }
                Shape::Unknown
            }
            (Some(target), [IdedExpr { expr: Expr::Ident(variable), .. }, body])
                if ["optMap", "optFlatMap"].contains(&name) =>
            {
                self.read_with_variables([(variable.clone(), target.value())], body);
                Shape::Unknown
            }
            (None, [operand, field]) if name == "_?._" => {
                let shape = self.read(operand);
                let Expr::Literal(LiteralValue::String(name)) = &field.expr else { return Shape::Unknown };
                let whole = if let Shape::Optional(inner) = shape { *inner } else { shape };
                Shape::Optional(Box::new(self.field(&whole, operand, name.inner())))
            }
            (None, [operand, index]) if ["_[_]", "_[?_]"].contains(&name) => {
                let shape = self.read(operand);
                self.read(index);
                let (whole, optional) = match shape {
                    Shape::Optional(inner) => (*inner, true),
                    other => (other, name == "_[?_]"),
                };
                if optional { Shape::Optional(Box::new(whole.item())) } else { whole.item() }
            }
            (target, arguments) => {
                self.read_all(arguments);
                match (target, name) {
                    (Some(target), "orValue" | "value") => target.value(),
                    (Some(target @ Shape::Optional(_)), "or") => target,
                    _ => Shape::Unknown,
                }
            }
        }
    }

    /// Returns true if the target of a call is a namespace, such as `sets` in `sets.contains(..)`, and not a variable.
    fn is_namespace(&self, target: &IdedExpr) -> bool {
        match &target.expr {
            Expr::Ident(name) => functions::is_name(name) && !self.scopes.iter().any(|(own, _)| own == name),
            Expr::Select(select) => !select.test && self.is_namespace(&select.operand),
            _ => false,
        }
    }

    fn read_with_variables<const N: usize>(
        &mut self,
        variables: [(String, Shape<'a>); N],
        body: &IdedExpr,
    ) -> Shape<'a> {
        self.scopes.extend(variables);
        let shape = self.read(body);
        self.scopes.truncate(self.scopes.len() - N);
        shape
    }

    fn comprehension(&mut self, made: &ComprehensionExpr) -> Shape<'a> {
        let range = self.read(&made.iter_range);
        let (one, two) = match made.iter_var2 {
            Some(_) => (Shape::Unknown, range.item()),
            None => (range.element(), Shape::Unknown),
        };
        self.read(&made.accu_init);
        self.scopes.push((made.accu_var.clone(), Shape::Unknown));
        self.scopes.push((made.iter_var.clone(), one));
        self.scopes.push((made.iter_var2.clone().unwrap_or_else(|| "@".to_owned()), two));
        self.read(&made.loop_cond);
        self.read(&made.loop_step);
        let item = collected_item(made).map(|item| self.read(item));
        self.scopes.truncate(self.scopes.len() - 3);
        item.map_or(Shape::Unknown, |item| Shape::List(Box::new(item)))
    }
}

/// Returns the expression for the items of the list that the macro `map` or `filter` returns.
fn collected_item(made: &ComprehensionExpr) -> Option<&IdedExpr> {
    let Expr::List(_) = made.accu_init.expr else { return None };
    let mut step = &made.loop_step;
    loop {
        let Expr::Call(call) = &step.expr else { return None };
        match (call.func_name.as_str(), call.args.as_slice()) {
            ("_?_:_", [_, added, _]) => step = added,
            ("_+_", [_, IdedExpr { expr: Expr::List(list), .. }]) => return list.elements.first(),
            _ => return None,
        }
    }
}

/// Returns the last argument of a call if it is a string literal, such as the regular expression of `matches`.
fn pattern(call: &CallExpr) -> Option<&str> {
    match &call.args.last()?.expr {
        Expr::Literal(LiteralValue::String(pattern)) => Some(pattern.inner()),
        _ => None,
    }
}

/// Returns the source text of an expression that is a path, such as `self.list[..].size`. Index values are shown as
/// `[..]`, and the arguments of calls and all other parts as `(..)`.
fn text(expression: &IdedExpr) -> String {
    match &expression.expr {
        Expr::Ident(name) => name.clone(),
        Expr::Select(select) => format!("{}.{}", text(&select.operand), select.field),
        Expr::Call(call) if call.func_name == "_[_]" => match call.args.first() {
            Some(operand) => format!("{}[..]", text(operand)),
            None => "(..)".to_owned(),
        },
        Expr::Call(CallExpr { func_name, target: Some(target), .. }) => format!("{}.{func_name}(..)", text(target)),
        _ => "(..)".to_owned(),
    }
}
