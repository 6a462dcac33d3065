ALTER TABLE "kubeconfigs" ADD COLUMN "token_hash" text;
--> statement-breakpoint
ALTER TABLE "kubeconfigs" ADD CONSTRAINT "kubeconfigs_token_hash_unique" UNIQUE("token_hash");
