CREATE INDEX "audit_log_policies" ON "audit_log" USING btree ("organization_id","action","object") WHERE "decision" = 'allowed' AND "object" LIKE 'AlertPolicy/%';
