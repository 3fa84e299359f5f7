//@ std
//@ toml = "=0.9.12"
//@ input: title = "größe"\n[owner]\nborn = 1979-05-27T07:32:00-08:00\nlist = [1, 2.5, "x", { a = true }]\n\n[[item]]\nn = 0x1F\n[[item]]\nn = 1_000\ns = '''raw\ntext'''\n
//@ input: a.b.c = inf\n"quoted key" = -nan\nt = 07:32:00\nd = 1979-05-27\ne = "\\u00e9\\t"\n
//! Parses TOML into a table, and writes the table again.
#[rustgo::export(stack = "512k")]
pub fn survey(out: &mut [u8], input: &[u8]) -> usize {
    let input = String::from_utf8_lossy(input);
    let text = match input.parse::<toml::Table>() {
        Ok(table) => format!("{}\n{:?}", toml::to_string_pretty(&table).unwrap(), table),
        Err(error) => format!("{error} {:?}", error.span()),
    };
    put(out, text.as_bytes())
}
