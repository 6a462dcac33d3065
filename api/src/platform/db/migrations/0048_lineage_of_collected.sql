-- Versions that were recorded before 0047, of datasets with collected requests. Of a dataset that is gone, its sources tell.
UPDATE "lineage_nodes" n SET "managers_only" = true
FROM "datasets" d WHERE d."managers_only" AND n."kind" = 'dataset' AND n."org_id" = d."org_id" AND n."ref" = d."id";
--> statement-breakpoint
UPDATE "lineage_nodes" n SET "managers_only" = true WHERE n."kind" = 'dataset' AND EXISTS (
	SELECT FROM "lineage_nodes" m JOIN "lineage_edges" e ON e."to_id" = m."id" JOIN "lineage_nodes" s ON s."id" = e."from_id"
	WHERE m."org_id" = n."org_id" AND m."kind" = n."kind" AND m."ref" = n."ref" AND s."kind" = 'deployment'
);
