//@ std
//@ support: libm
//@ prqlc = { version = "=0.13.14", default-features = false }
//@ input: from employees | select {name, age}
//@ input: from invoices\nfilter invoice_date >= @1970-01-16\nderive {\n  transaction_fees = 0.8,\n  income = total - transaction_fees\n}\nfilter income > 1\ngroup customer_id (\n  aggregate {\n    average total,\n    sum_income = sum income,\n    ct = count total,\n  }\n)\nsort {-sum_income}\ntake 10\njoin c=customers (==customer_id)\nderive name = f"{c.last_name}, {c.first_name}"\nselect {c.customer_id, name, sum_income}\nderive db_version = s"version()"\n
//@ input: let top = (from a | sort x | take 5)\nfrom top\nderive {y = case [x > 1 => "größe", true => null], z = (x ?? 2 | math.round 1)}\nwindow rolling:3 (derive w = sum x)\n# note\nappend b\n
//! Compiles a query in PRQL to SQL, and formats it.
use prqlc::{DisplayOptions, Options, Target, compile, sql::Dialect};

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let mut text = String::new();
    for dialect in [Dialect::SQLite, Dialect::Postgres] {
        let options = Options { target: Target::Sql(Some(dialect)), signature_comment: false, display: DisplayOptions::Plain, ..Default::default() };
        match compile(&input, &options) {
            Ok(sql) => text += &sql,
            Err(errors) => text += &errors.to_string(),
        }
    }
    if let Ok(query) = prqlc::prql_to_pl(&input) {
        text += &prqlc::pl_to_prql(&query).unwrap_or_else(|errors| errors.to_string());
    }
    put(out, text.as_bytes())
}
