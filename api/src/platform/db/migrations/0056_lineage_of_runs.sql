-- Runs that made a version, and what deployments collected, become nodes between it and its sources. A version whose row is gone keeps its
-- edges as they are.
INSERT INTO "lineage_nodes" ("org_id", "kind", "ref", "version", "uid", "digest", "name", "managers_only", "at")
SELECT DISTINCT ON (v."made"->>'taskUid', v."made"->>'run') n."org_id", 'finetune', v."made"->>'task', v."made"->>'run',
	(v."made"->>'taskUid') || '/' || (v."made"->>'run'), '', v."made"->>'task', false, n."at"
FROM "lineage_nodes" n JOIN "model_versions" v ON v."id" = n."uid"
WHERE n."kind" = 'model' AND v."made" IS NOT NULL ORDER BY v."made"->>'taskUid', v."made"->>'run', n."at"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO "lineage_nodes" ("org_id", "kind", "ref", "version", "uid", "digest", "name", "managers_only", "at")
SELECT DISTINCT ON (v."asked"->>'taskUid', v."asked"->>'run') n."org_id", 'process', v."asked"->>'task', v."asked"->>'run',
	(v."asked"->>'taskUid') || '/' || (v."asked"->>'run'), '', v."asked"->>'task', n."managers_only", n."at"
FROM "lineage_nodes" n JOIN "dataset_versions" v ON v."id" = n."uid"
WHERE n."kind" = 'dataset' AND v."asked"->>'source' = 'process' ORDER BY v."asked"->>'taskUid', v."asked"->>'run', n."at"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO "lineage_nodes" ("org_id", "kind", "ref", "version", "uid", "digest", "name", "managers_only", "at")
SELECT DISTINCT ON (n."org_id", v."source_ref") n."org_id", 'collected', v."source_ref", NULL,
	n."org_id" || '/' || v."source_ref", '', v."source_ref", true, n."at"
FROM "lineage_nodes" n JOIN "dataset_versions" v ON v."id" = n."uid"
WHERE n."kind" = 'dataset' AND v."source" = 'collected' AND v."source_ref" IS NOT NULL ORDER BY n."org_id", v."source_ref", n."at"
ON CONFLICT DO NOTHING;
--> statement-breakpoint
WITH "made" AS (
	SELECT n."id", n."org_id", n."at", r."id" AS "by"
	FROM "lineage_nodes" n JOIN "model_versions" v ON v."id" = n."uid"
	JOIN "lineage_nodes" r ON r."kind" = 'finetune' AND r."uid" = (v."made"->>'taskUid') || '/' || (v."made"->>'run')
	WHERE n."kind" = 'model'
	UNION ALL
	SELECT n."id", n."org_id", n."at", r."id"
	FROM "lineage_nodes" n JOIN "dataset_versions" v ON v."id" = n."uid"
	JOIN "lineage_nodes" r ON r."kind" = 'process' AND r."uid" = (v."asked"->>'taskUid') || '/' || (v."asked"->>'run')
	WHERE n."kind" = 'dataset' AND v."asked"->>'source' = 'process'
	UNION ALL
	SELECT n."id", n."org_id", n."at", r."id"
	FROM "lineage_nodes" n JOIN "dataset_versions" v ON v."id" = n."uid"
	JOIN "lineage_nodes" r ON r."kind" = 'collected' AND r."uid" = n."org_id" || '/' || v."source_ref"
	WHERE n."kind" = 'dataset' AND v."source" = 'collected'
), "moved" AS (
	DELETE FROM "lineage_edges" e USING "made" m WHERE e."to_id" = m."id" AND e."from_id" <> m."by"
	RETURNING e."from_id", m."by", e."org_id", e."at"
)
INSERT INTO "lineage_edges" ("from_id", "to_id", "org_id", "at")
SELECT "from_id", "by", "org_id", "at" FROM "moved"
UNION SELECT "by", "id", "org_id", "at" FROM "made"
ON CONFLICT DO NOTHING;
