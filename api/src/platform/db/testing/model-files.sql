-- Models with files, as gateways before 0043 wrote them: ready, half on the way, and failed.
insert into accounts (id, name, created_at) values ('acc-a', 'a', '2026-03-01');
insert into organizations (id, name, currency, created_at) values ('org-a', 'a', 'USD', '2026-03-01');
insert into models (id, organization_id, name, creator_id, created_at, updated_at)
  values ('mdl-a', 'org-a', 'tiny', 'acc-a', '2026-03-01', '2026-03-01');
insert into model_versions (id, model_id, name, state, source, creator_id, created_at) values
  ('mvr-ready', 'mdl-a', '1', 'ready', 'upload', 'acc-a', '2026-03-01'),
  ('mvr-half', 'mdl-a', '2', 'uploading', 'upload', 'acc-a', '2026-03-01'),
  ('mvr-failed', 'mdl-a', '3', 'failed', 'upload', 'acc-a', '2026-03-01');
insert into blobs (digest, size_bytes, stored_at) values ('aa', 7, '2026-03-01');
insert into model_files (id, version_id, path, size_bytes, received_bytes, upload_id, digest, kept_at) values
  ('mfl-1', 'mvr-ready', 'a', 7, 7, null, 'aa', '2026-03-01'),
  ('mfl-2', 'mvr-ready', 'b', 7, 7, null, 'aa', '2026-03-01'),
  ('mfl-3', 'mvr-half', 'c', 50000000, 33554432, 'upload', null, null),
  ('mfl-4', 'mvr-half', 'd', 9, 0, null, null, null),
  ('mfl-5', 'mvr-failed', 'e', 11, 0, null, null, null);
insert into model_storage (hour, org_id, bytes, list, net) values ('2026-03-01', 'org-a', 14, 0, 0);
insert into hub_tokens (organization_id, sealed, creator_id, created_at) values ('org-a', 'sealed', 'acc-a', '2026-03-01')
