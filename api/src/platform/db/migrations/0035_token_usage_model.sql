CREATE INDEX "token_usage_model" ON "token_usage" USING btree ("model_uid","at");
