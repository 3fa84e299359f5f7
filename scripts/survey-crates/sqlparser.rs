//@ std
//@ support: libm
//@ sqlparser = { version = "=0.64.0", features = ["serde"] }
//@ serde_json = "1"
//@ input: SELECT a, b, 123, myfunc(b) FROM table_1 WHERE a > b AND b < 100 ORDER BY a DESC, b
//@ input: WITH t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT t.*, CASE WHEN x IN (1, 2) THEN 'a''b' ELSE NULL END AS "c", COUNT(*) OVER (PARTITION BY x ORDER BY y ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t LEFT JOIN u USING (id) WHERE NOT EXISTS (SELECT 1) GROUP BY x HAVING SUM(x) > 1.5e3 LIMIT 10;
//@ input: CREATE TABLE größe (id BIGINT PRIMARY KEY, name VARCHAR(20) NOT NULL DEFAULT 'x', at TIMESTAMP WITH TIME ZONE); INSERT INTO t VALUES (1, 'a', INTERVAL '1' DAY) ON CONFLICT DO NOTHING; UPDATE t SET a = a || 'b' WHERE c BETWEEN 1 AND 2 RETURNING *; GRANT SELECT ON t TO u; /* note */ -- end
//! Parses SQL in several dialects to trees, and formats the trees as JSON and as SQL.
use sqlparser::dialect::{Dialect, GenericDialect, MySqlDialect, PostgreSqlDialect};
use sqlparser::parser::Parser;

#[rustgo::export(stack = "2m")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let dialects: [&dyn Dialect; 3] = [&GenericDialect {}, &PostgreSqlDialect {}, &MySqlDialect {}];
    let mut text = String::new();
    for dialect in dialects {
        match Parser::parse_sql(dialect, &input) {
            Ok(statements) => {
                for statement in &statements {
                    text += &format!("{statement}\n{statement:#}\n{statement:?}\n");
                }
                text += &serde_json::to_string(&statements).unwrap();
            }
            Err(error) => text += &format!("{error}\n"),
        }
    }
    put(out, text.as_bytes())
}
