// Makes tables of at least 25 rows sortable by a click on the head of a column, and gives them a field that selects rows by a text.
// A wide table scrolls in a box of its own, and numbers do not break.
"use strict";

(() => {
	const units = { "B": 1, "KiB": 2 ** 10, "MiB": 2 ** 20, "GiB": 2 ** 30, "ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9 };

	// number returns the value at the beginning of a cell such as "9.4 KiB / 6.6 KiB" or "1,024", or null for a cell that does not begin with a number.
	const number = (text) => {
		const match = /^[−-]?[\d,]*\.?\d+/.exec(text);
		if (!match) return null;
		const unit = /^\s*([A-Za-zµ]+)/.exec(text.slice(match[0].length));
		return Number(match[0].replace(/,/g, "").replace("−", "-")) * (unit && units[unit[1]] || 1);
	};

	const compare = (a, b) => {
		const [x, y] = [number(a), number(b)];
		if (x !== null && y !== null && x !== y) return x - y;
		return a.localeCompare(b, "en", { numeric: true });
	};

	const sortable = (table) => {
		const body = table.tBodies[0];
		for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
			const button = document.createElement("button");
			button.type = "button";
			button.className = "sort";
			button.append(...head.childNodes);
			// Columns without a head can be sorted too.
			if (!button.textContent.trim()) button.setAttribute("aria-label", `column ${column + 1}`);
			head.append(button);
			button.addEventListener("click", () => {
				const ascending = head.getAttribute("aria-sort") !== "ascending";
				for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
				head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
				const text = (row) => row.cells[column] ? row.cells[column].textContent.trim() : "";
				// Cells without text stay at the end in both directions.
				const rows = [...body.rows].sort((a, b) =>
					(text(a) === "") - (text(b) === "") || (ascending ? 1 : -1) * compare(text(a), text(b)));
				body.append(...rows);
			});
		}
	};

	const searchable = (table, before) => {
		const field = document.createElement("input");
		field.type = "search";
		field.className = "rows";
		field.placeholder = `find in ${table.tBodies[0].rows.length} rows`;
		field.setAttribute("aria-label", "find rows of this table");
		field.addEventListener("input", () => {
			const wanted = field.value.toLowerCase();
			for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
		});
		// The keys of the page, such as the arrows for the next chapter, must not act while somebody types.
		field.addEventListener("keydown", (event) => event.stopPropagation());
		before.before(field);
	};

	for (const table of document.querySelectorAll("main table")) {
		let box = table.parentElement;
		if (!box.classList.contains("table-wrapper")) {
			box = document.createElement("div");
			box.className = "table-wrapper";
			table.before(box);
			box.append(table);
		}
		if (table.rows[0].cells.length >= 6) table.classList.add("wide");
		for (const cell of table.querySelectorAll("td")) {
			const text = cell.textContent.trim();
			if (text.length <= 24 && number(text) !== null) cell.classList.add("number");
		}
		const rows = table.tHead && table.tBodies.length ? table.tBodies[0].rows.length : 0;
		if (rows >= 25) {
			sortable(table);
			searchable(table, box);
		}
	}
})();
