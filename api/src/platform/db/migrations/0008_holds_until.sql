CREATE INDEX "holds_until" ON "holds" USING btree ("until");
