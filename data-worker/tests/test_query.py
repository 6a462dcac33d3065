"""SQL, search and difference: what they answer, and what they refuse."""

import json

from .worker import TOKEN, Answer, WithServer, parts

SELECTS = {
    "SELECT count(*) FROM data": [[3]],
    "FROM data ORDER BY a LIMIT 1": [[1, "one"]],
    "WITH x AS (SELECT a FROM data) SELECT max(a) FROM x": [[3]],
    "SELECT a -- ; a comment\nFROM data ORDER BY a DESC LIMIT 1;": [[3]],
}

REFUSED = {
    "COPY data TO '/tmp/x.csv'": "NotOneSelect",
    "COPY data TO 'out/test/data-00000.parquet'": "NotOneSelect",
    "ATTACH '/tmp/x.db'": "NotOneSelect",
    "PRAGMA database_list": "NotOneSelect",
    "SET memory_limit = '9GB'": "NotOneSelect",
    "RESET memory_limit": "NotOneSelect",
    "SELECT 1; SELECT 2": "NotOneSelect",
    "SELECT 1; COPY data TO '/tmp/x'": "NotOneSelect",
    "EXPLAIN ANALYZE SELECT 1": "NotOneSelect",
    "INSTALL httpfs": "NotOneSelect",
    "LOAD '/tmp/evil.so'": "NotOneSelect",
    "CALL enable_logging()": "NotOneSelect",
    "EXPORT DATABASE '/tmp/x'": "NotOneSelect",
    "CREATE TABLE x (a INT)": "NotOneSelect",
    "PREPARE p AS SELECT 1": "NotOneSelect",
    "BEGIN": "NotOneSelect",
    "": "BadField",
    "-- nothing": "NotOneSelect",
    "WITH x AS (SELECT 1) INSERT INTO data SELECT * FROM x": "NotOneSelect",
    "SELECT * FROM read_csv('/etc/passwd')": "NotAllowed",
    "SELECT * FROM read_text('/etc/passwd')": "NotAllowed",
    "SELECT * FROM read_blob('/proc/self/environ')": "NotAllowed",
    "SELECT * FROM glob('/*')": "NotAllowed",
    "SELECT * FROM '/etc/hostname.csv'": "NotAllowed",
    "SELECT * FROM read_csv('http://127.0.0.1:1/x')": "NotAllowed",
    "SELECT * FROM duckdb_secrets()": "NotAllowed",
    "SELECT getenv('HOME')": "QueryFailed",
    "SELECT * FROM nowhere": "QueryFailed",
    "SELEC 1": "QueryFailed",
    # Statements behind comments, of other kinds, and those that would leave something for the next query.
    "/* SELECT 1 */ COPY data TO '/tmp/x'": "NotOneSelect",
    "SELECT 1 /* ; */; /* */ COPY data TO '/tmp/x' -- ": "NotOneSelect",
    "SELECT 1 -- \n; ATTACH ':memory:' AS x": "NotOneSelect",
    "CREATE MACRO f(x) AS x": "NotOneSelect",
    "CREATE TEMP VIEW v AS SELECT 1": "NotOneSelect",
    "CREATE OR REPLACE VIEW data AS SELECT * FROM read_text('/etc/passwd')": "NotOneSelect",
    "CREATE SECRET (TYPE s3)": "NotOneSelect",
    "DROP VIEW data": "NotOneSelect",
    "ALTER VIEW data RENAME TO x": "NotOneSelect",
    "IMPORT DATABASE '/tmp/x'": "NotOneSelect",
    "EXECUTE p": "NotOneSelect",
    "SET VARIABLE x = 1": "NotOneSelect",
    "USE memory": "NotOneSelect",
    "DETACH memory": "NotOneSelect",
    "COMMIT": "NotOneSelect",
    "CHECKPOINT": "NotOneSelect",
    "PIVOT data ON a USING count(*)": "NotOneSelect",
    # Readers that are less known, and statements as values.
    "SELECT * FROM read_json('/etc/passwd', format = 'unstructured')": "NotAllowed",
    "SELECT * FROM read_parquet('/etc/passwd')": "NotAllowed",
    "SELECT * FROM sniff_csv('/etc/passwd')": "NotAllowed",
    "SELECT * FROM parquet_metadata('/etc/passwd')": "NotAllowed",
    "SELECT * FROM parquet_schema('/proc/self/mem')": "NotAllowed",
    "SELECT * FROM read_text(['/proc/self/cmdline'])": "NotAllowed",
    "SELECT * FROM read_blob('/dev/zero')": "NotAllowed",
    "SELECT * FROM glob('../../**')": "NotAllowed",
    "SELECT * FROM 's3://bucket/x.parquet'": "NotAllowed",
    "SELECT * FROM read_parquet('https://127.0.0.1:1/x.parquet')": "NotAllowed",
    "SELECT * FROM duckdb_extensions()": "NotAllowed",
    "SELECT * FROM query('SELECT * FROM read_text(''/etc/passwd'')')": "NotAllowed",
    "SELECT * FROM query('COPY data TO ''/tmp/x''')": "QueryFailed",
    "SELECT * FROM query_table('/etc/passwd')": "QueryFailed",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''/etc/passwd'')'))": "NotAllowed",
    # What the program around has: its variables, functions and shell.
    "SELECT * FROM job": "QueryFailed",
    "SELECT * FROM pandas_scan(1)": "QueryFailed",
    "SELECT system('id')": "QueryFailed",
    "SELECT set_config('a', 'b')": "QueryFailed",
    "SELECT nextval('x')": "QueryFailed",
    "SELECT ?": "QueryFailed",
    # Statements that are large themselves.
    "SELECT " + ", ".join(["1"] * 1_001): "TooManyColumns",
    "SELECT " + ", ".join(["*"] * 600) + " FROM data": "TooManyColumns",
    "SELECT " + "(" * 9_000 + "1" + ")" * 9_000: "QueryFailed",
    "SELECT " + "+".join(["1"] * 9_500): "QueryFailed",
    "SELECT " + "NOT " * 4_500 + "true": "QueryFailed",
    "SELECT " + "[" * 5_000 + "]" * 5_000: "QueryFailed",
    "SELECT '" + "x" * 20_000 + "'": "BadField",
    "SELECT length(repeat(repeat('x', 100000), 1000000))": "QueryFailed",
    "SELECT regexp_matches('a', '((a{1,1000}){1,1000}){1,1000}')": "QueryFailed",
}

# SELECTs that show of the server what may be seen.
SHOWN = (
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_databases()",
    "SELECT * FROM duckdb_variables()",
    "SELECT * FROM duckdb_logs()",
    "SELECT sql FROM sqlite_master",
    "SHOW ALL TABLES",
    "SUMMARIZE data",
    "SELECT regexp_matches(repeat('a', 100000) || '!', '(a+)+$')",
    "SELECT getvariable('x'), version(), current_user, chr(0)",
    "SELECT * FROM repeat_row(1, num_rows = 1000000000000)",
)

# Which limit it meets first, the machine says: one that is slow may have no time left once it has begun.
SLOW_OR_LARGE = "TooMuchMemory TooSlow"
TOO_MUCH = (
    "SELECT repeat('x', 1000000000)",
    "SELECT string_agg(repeat('x', 1000000) || range, '') FROM range(100000)",
    "SELECT list(range) FROM range(1000000000)",
    "WITH RECURSIVE r AS (SELECT repeat('x', 1000) t UNION ALL SELECT t || t FROM r) SELECT max(length(t)) FROM r",
    "SELECT list_aggregate(range(100000000), 'sum')",
    "SELECT printf('%2000000000d', 1)",
    "SELECT format('{:1000000000}', 1)",
    "SELECT string_split(repeat('a,', 100000000), ',')",
    "SELECT count(DISTINCT range) FROM range(1000000000000)",
    "SELECT * FROM range(1000000000000) ORDER BY hash(range)",
    # It asks nobody whether it is interrupted: its process ends.
    "SELECT regexp_replace(repeat('a', 10000000), 'a', repeat('b', 1000), 'g')",
    "WITH RECURSIVE r AS (SELECT 1 i UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r",
)

# The parser calls each of them a SELECT.
WRITES_INSIDE = (
    "WITH x AS (INSERT INTO hidden VALUES (1) RETURNING *) SELECT * FROM x",
    "WITH x AS (DELETE FROM data RETURNING *) SELECT * FROM x",
    "WITH x AS (COPY data TO '/tmp/x.csv') SELECT * FROM x",
)


class Queries(WithServer):
    here = ("profile", "query")

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        test = cls("test_a_select_is_answered")
        cls.table = test.facts('{"a":1,"b":"one"}\n{"a":2,"b":"two"}\n{"a":3,"b":"three"}\n')
        cls.other = test.call("GET", f"/file?path={parts(cls.table)[0]}").body

    def test_a_select_is_answered(self) -> None:
        for sql, rows in SELECTS.items():
            with self.subTest(sql):
                self.assertEqual(self.query(sql, self.table).json.get("rows"), rows)

    def test_everything_else_is_refused_with_a_sentence(self) -> None:
        self.all_refused(REFUSED, self.table)

    def test_what_is_seen_of_the_server_is_no_secret(self) -> None:
        for sql in SHOWN:
            with self.subTest(sql):
                answer = self.query(sql, self.table)
                self.assertEqual(answer.status, 200, answer.body)
                self.assertNotIn(TOKEN, answer.body.decode())
                self.assertLessEqual(len(answer.json["rows"]), 100)

    def test_only_the_tables_of_the_request_are_read(self) -> None:
        self.put("in/other.parquet", self.other)
        sql = f"SELECT * FROM read_parquet('{self.folder.name}/in/other.parquet')"
        self.assertEqual(self.query(sql, self.table).code, "NotAllowed")

    def test_huge_results_are_cut(self) -> None:
        answer = self.query("SELECT range FROM range(1000000000000)", self.table).json
        self.assertEqual((len(answer["rows"]), answer["more"]), (100, True))
        answer = self.query("SELECT repeat('x', 1000000) FROM range(3)", self.table).json
        self.assertEqual((len(answer["rows"][0][0]), answer["cut"][0]), (4_096, [0, 0, 1_000_000]))

    def test_tables_are_named_plainly_and_are_there(self) -> None:
        bad = {"A": ["x"]}, {'a"; DROP VIEW data; --': parts(self.table)}, {}, {"data": []}, {"data": "x"}, {"data": [5]}
        for tables in bad:
            self.assertEqual(self.call("POST", "/query", {"sql": "SELECT 1", "tables": tables}).code, "BadField")
        gone = self.call("POST", "/query", {"sql": "SELECT 1", "tables": {"data": ["out/nowhere.parquet"]}})
        self.assertEqual((gone.status, gone.code), (404, "NoSuchFile"))


class ConfinedQueries(WithServer):
    """In children: the kernel has its part in it."""

    here = ("profile",)
    is_timed = True

    def test_what_takes_too_much_is_refused_with_a_sentence(self) -> None:
        self.all_refused(dict.fromkeys(TOO_MUCH, SLOW_OR_LARGE), self.facts('{"a":1}\n'))


class ConfinedWrites(WithServer):
    here = ("profile",)

    def test_a_write_inside_of_a_select_is_refused(self) -> None:
        table = self.facts('{"a":1}\n')
        for sql in WRITES_INSIDE:
            with self.subTest(sql):
                self.assertEqual(self.query(sql, table).status, 422)
        self.assertEqual(self.rows(table), [[1]])


class Searches(WithServer):
    here = ("profile", "query", "search")

    def search(self, **request: object):
        return self.call("POST", "/search", request)

    def test_rows_are_found_with_their_numbers(self) -> None:
        rows = "".join(json.dumps({"a": n, "b": [f"Word{n}", "100%_\\"]}) + "\n" for n in range(300))
        table = parts(self.facts(rows))
        found = self.search(table=table, text="wORD29", limit=4).json
        self.assertEqual((found["numbers"], found["next"]), ([29, 290, 291, 292], 293))
        found = self.search(table=table, text="word29", limit=100, **{"from": 293}).json
        self.assertEqual((found["numbers"], found["next"]), (list(range(293, 300)), None))
        self.assertEqual(len(self.search(table=table * 2, text="Word299").json["numbers"]), 2)
        # Nothing in a text is a pattern.
        self.assertEqual(self.search(table=table, text="100%_\\", limit=1).json["numbers"], [0])
        self.assertEqual(self.search(table=table, text=".*").json["numbers"], [])
        self.assertEqual(self.search(table=table, text="7", columns=["a"], limit=2).json["numbers"], [7, 17])

    def test_bad_requests_name_the_field(self) -> None:
        table = parts(self.facts('{"a":1}\n'))
        for field, value in {"text": "", "limit": 101, "from": -1, "columns": ["b"], "table": []}.items():
            answer = self.search(**{"table": table, "text": "x", field: value})
            self.assertEqual((answer.status, answer.json["problem"]["values"]), (400, {"field": field}))


class Finds(WithServer):
    here = ("profile", "query", "find")

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        rows = [{"n": n, "word": f"w{n % 7}", "list": list(range(n % 3)), "at": f"2026-01-{n % 28 + 1:02}"} for n in range(300)]
        rows[5]["word"] = None
        rows[6]["word"] = "it's"
        cls.table = parts(cls("test_filters_hold_all").facts("".join(json.dumps(row) + "\n" for row in rows)))

    def find(self, **request: object) -> Answer:
        return self.call("POST", "/find", {"table": self.table, **request})

    def test_filters_hold_all(self) -> None:
        for filters, numbers in {
            ("n", "atLeast", 298): [298, 299],
            ("n", "below", 2): [0, 1],
            ("n", "equals", 7): [7],
            ("n", "equals", "7"): [7],
            ("n", "equals", "x"): [],
            ("word", "equals", "it's"): [6],
            ("word", "isNull", True): [5],
            ("word", "lengthAtLeast", 3): [6],
            ("at", "below", "2026-01-02"): [0, 28, 56, 84, 112, 140, 168, 196, 224, 252, 280],
        }.items():
            column, name, value = filters
            with self.subTest(filters):
                answer = self.find(filters=[{"column": column, name: value}]).json
                self.assertEqual((answer["numbers"], answer["total"]), (numbers, len(numbers)))
        both = [{"column": "n", "below": 10}, {"column": "list", "lengthAtLeast": 2}]
        self.assertEqual(self.find(filters=both).json["numbers"], [2, 5, 8])

    def test_rows_are_sorted_and_pages_follow_each_other(self) -> None:
        sort = {"column": "n", "descending": True}
        answer = self.find(sort=sort, limit=2, **{"from": 1}).json
        self.assertEqual((answer["numbers"], answer["total"], [row[0] for row in answer["rows"]]), ([298, 297], 300, [298, 297]))
        self.assertEqual(self.find(sort={"column": "word"}, limit=1).json["numbers"], [6])
        self.assertEqual(self.find(limit=1, **{"from": 100_000}).json["rows"], [])

    def test_numbers_go_on_from_part_to_part(self) -> None:
        answer = self.find(table=self.table * 3, filters=[{"column": "n", "equals": 7}]).json
        self.assertEqual((answer["numbers"], answer["total"]), ([7, 307, 607], 3))

    def test_bad_requests_name_the_field(self) -> None:
        for field, value in {
            "filters": [{"column": "n", "above": 1}],
            "filters.column": [{"column": "x", "below": 1}],
            "sort": "n",
            "sort.column": {"column": "n; DROP"},
            "from": 100_001,
            "limit": 0,
            "table": [],
        }.items():
            with self.subTest(field):
                answer = self.find(**{field.split(".")[0]: value})
                self.assertEqual((answer.status, answer.json["problem"]["values"]), (400, {"field": field}))


class Differences(WithServer):
    here = ("profile", "query")

    def tables(self) -> tuple[list, list]:
        before = self.facts('{"k":1,"a":"x","old":1}\n{"k":2,"a":"y","old":1}\n{"k":3,"a":"z","old":1}\n')
        self.put("in/before.parquet", self.call("GET", f"/file?path={parts(before)[0]}").body)
        after = self.facts('{"k":1,"a":"x","new":1}\n{"k":2,"a":"changed","new":1}\n{"k":4,"a":"w","new":1}\n')
        return ["in/before.parquet"], parts(after)

    def test_by_key(self) -> None:
        before, after = self.tables()
        found = self.call("POST", "/diff", {"before": before, "after": after, "key": ["k"]}).json
        self.assertEqual(found["rows"], {"added": 1, "removed": 1, "changed": 1, "same": 1, "before": 3, "after": 3})
        self.assertEqual([[one["name"] for one in found["columns"][what]] for what in ("added", "removed")], [["new"], ["old"]])
        self.assertEqual((found["changedColumns"], found["changed"]["rows"]), ({"a": 1}, [[2, ["y", "changed"]]]))
        self.assertEqual((found["added"]["rows"], found["removed"]["rows"]), ([[4, "w"]], [[3, "z"]]))

    def test_by_all_that_rows_have(self) -> None:
        before, after = self.tables()
        found = self.call("POST", "/diff", {"before": before, "after": after}).json
        self.assertEqual(found["rows"], {"added": 2, "removed": 2, "changed": 0, "same": 1, "before": 3, "after": 3})
        self.assertEqual(sorted(found["removed"]["rows"]), [[2, "y"], [3, "z"]])

    def test_equal_rows_are_counted(self) -> None:
        table = parts(self.facts('{"a":1}\n{"a":1}\n{"a":2}\n'))
        found = self.call("POST", "/diff", {"before": table, "after": table * 2}).json
        self.assertEqual((found["rows"]["added"], found["rows"]["removed"]), (3, 0))
        answer = self.call("POST", "/diff", {"before": table, "after": table, "key": ["a"]})
        self.assertEqual((answer.status, answer.code), (422, "KeyNotUnique"))
