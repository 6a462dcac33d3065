ALTER TABLE "registries" ALTER COLUMN "secret_uid" DROP NOT NULL;
