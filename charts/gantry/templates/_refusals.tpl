{{/* Values that cannot be meant, each with the sentence that says why. The schema has refused wrong types and names before. */}}
{{- define "gantry.refuse" -}}
{{- $v := .Values -}}
{{- if ne .Release.Namespace "gantry-system" -}}
{{- fail (printf "the namespace must be gantry-system, which roles and policies name, not %s: helm install --namespace gantry-system --create-namespace …" .Release.Namespace) -}}
{{- end -}}
{{- if not (.Files.Glob "files/crds/*.yaml") -}}
{{- fail "files/crds is missing: in a checkout it is a link to crds/, which whatever copied this chart did not follow; install a checkout, a package of it (helm package) or a bundle" -}}
{{- end -}}
{{- $hostName := "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$" -}}
{{- range $name := list "domain" "tenantDomain" -}}
{{- $value := index $v $name -}}
{{- if and $value (not (regexMatch $hostName $value)) -}}
{{- fail (printf "%s: %q is no domain such as gantry.example.org" $name $value) -}}
{{- end -}}
{{- end -}}
{{- $address := "^https?://[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?/?$" -}}
{{- range $name, $url := $v.urls -}}
{{- if and $url (not (regexMatch $address $url)) -}}
{{- fail (printf "urls.%s: %q is no address such as https://gpu.example.org" $name $url) -}}
{{- end -}}
{{- end -}}
{{- if and $v.urls.kubernetes (not (hasPrefix "https://" $v.urls.kubernetes)) -}}
{{- fail "urls.kubernetes: must begin with https://, because kubectl sends no token over plain HTTP" -}}
{{- end -}}
{{- $console := include "gantry.host" (include "gantry.url.console" .) -}}
{{- if $v.tenantDomain -}}
{{- range $own := list $console $v.domain -}}
{{- /* Names below localhost are sites of their own. */ -}}
{{- if and $own (ne $own "localhost") (or (eq $v.tenantDomain $own) (hasSuffix (printf ".%s" $own) $v.tenantDomain)) -}}
{{- fail (printf "tenantDomain: %s is %s or below it; tenants' pages must be on a domain of their own, or they could read the console's cookies" $v.tenantDomain $own) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $v.urls.tenants (not $v.tenantDomain) -}}
{{- fail "urls.tenants: needs tenantDomain, the domain below which tenants' web content is" -}}
{{- end -}}
{{- if and (gt (int $v.gateway.replicas) 1) (not $v.database.existingSecret) -}}
{{- fail (printf "gateway.replicas: %d gateways need PostgreSQL; name a Secret with its url in database.existingSecret" (int $v.gateway.replicas)) -}}
{{- end -}}
{{- range $name := list "ingress" "gatewayApi" -}}
{{- if and (index $v $name).enabled (not $v.domain) -}}
{{- fail (printf "%s.enabled: needs domain, below which its hosts are" $name) -}}
{{- end -}}
{{- end -}}
{{- if and $v.ingress.enabled $v.gatewayApi.enabled -}}
{{- fail "ingress.enabled and gatewayApi.enabled: choose one" -}}
{{- end -}}
{{- if and $v.gatewayApi.enabled (not $v.gatewayApi.parentRefs) -}}
{{- fail "gatewayApi.parentRefs: name the Gateway that the routes belong to, such as [{name: public, namespace: gateways}]" -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.tls.existingSecret) (not $v.tls.certManagerIssuer.name) -}}
{{- fail "tls: an Ingress needs certificates; name a Secret in tls.existingSecret, or an issuer of cert-manager in tls.certManagerIssuer.name" -}}
{{- end -}}
{{- if and $v.ingress.enabled $v.tenantDomain (not $v.tls.tenantsExistingSecret) (not $v.tls.certManagerIssuer.name) -}}
{{- fail (printf "tls.tenantsExistingSecret: name a Secret with a certificate for *.%s, or an issuer of cert-manager in tls.certManagerIssuer.name" $v.tenantDomain) -}}
{{- end -}}
{{- if and (not $v.registry.enabled) (not $v.registry.external.address) -}}
{{- fail "registry.external.address: say where the registry is, or set registry.enabled" -}}
{{- end -}}
{{- range $name, $s3 := dict "registry" $v.registry.s3 "models" $v.models.s3 "backup" $v.backup.s3 -}}
{{- if and $s3.bucket (not (regexMatch "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$" $s3.bucket)) -}}
{{- fail (printf "%s.s3.bucket: %q is no bucket; S3 names them by 3 to 63 lower-case letters, digits, dots and hyphens" $name $s3.bucket) -}}
{{- end -}}
{{- if and $s3.bucket (not $s3.existingSecret) -}}
{{- fail (printf "%s.s3.existingSecret: name a Secret with accessKey and secretKey" $name) -}}
{{- end -}}
{{- if and (or $s3.endpoint $s3.existingSecret) (not $s3.bucket) -}}
{{- fail (printf "%s.s3.bucket: name the bucket, or leave out what else is said of it" $name) -}}
{{- end -}}
{{- if and $s3.endpoint (not (regexMatch $address $s3.endpoint)) -}}
{{- fail (printf "%s.s3.endpoint: %q is no address such as https://s3.example.org" $name $s3.endpoint) -}}
{{- end -}}
{{- end -}}
{{- if and $v.backup.s3.bucket (not $v.backup.existingSecret) -}}
{{- fail "backup.existingSecret: name a Secret whose key seals the backups: kubectl create secret generic gantry-backup --namespace gantry-system --from-literal=key=\"$(openssl rand -base64 32)\", and keep a copy elsewhere" -}}
{{- end -}}
{{- if and $v.backup.prefix (not (regexMatch "^([A-Za-z0-9._-]+/)+$" $v.backup.prefix)) -}}
{{- fail (printf "backup.prefix: %q does not end with a slash, or has more than letters, digits, dots, _ and -, such as gantry/" $v.backup.prefix) -}}
{{- end -}}
{{- if and $v.backup.schedule (not (regexMatch "^\\S+( +\\S+){4}$" $v.backup.schedule)) -}}
{{- fail (printf "backup.schedule: %q has not the five fields of cron, such as \"17 2 * * *\"" $v.backup.schedule) -}}
{{- end -}}
{{- if and $v.restore.from (not (regexMatch "^[A-Za-z0-9][A-Za-z0-9.:-]*$" $v.restore.from)) -}}
{{- fail (printf "restore.from: %q is neither latest nor the id of a backup" $v.restore.from) -}}
{{- end -}}
{{- if and $v.restore.from (not $v.backup.s3.bucket) -}}
{{- fail "restore.from: needs backup.s3 and backup.existingSecret, the bucket and the key of the backup" -}}
{{- end -}}
{{- if and $v.models.hub (not (regexMatch "^https?://[^/]" $v.models.hub)) -}}
{{- fail (printf "models.hub: %q is no address such as https://huggingface.co" $v.models.hub) -}}
{{- end -}}
{{- range $cluster := $v.clusters -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$" $cluster.region) -}}
{{- fail (printf "clusters: the region %q must be lower-case letters, digits and -" $cluster.region) -}}
{{- end -}}
{{- if eq $cluster.region $v.region -}}
{{- fail (printf "clusters: %s is the region of this cluster" $cluster.region) -}}
{{- end -}}
{{- if not $cluster.existingSecret -}}
{{- fail (printf "clusters: name a Secret with the kubeconfig of %s in existingSecret" $cluster.region) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "http" "https" -}}
{{- $url := index $v.proxy $name -}}
{{- if and $url (not (regexMatch $address $url)) -}}
{{- fail (printf "proxy.%s: %q is no address such as http://proxy.example.org:3128; a password would be read by tenants" $name $url) -}}
{{- end -}}
{{- end -}}
{{- range $v.proxy.noProxy -}}
{{- if not (regexMatch "^[^\\s,/]+$" .) -}}
{{- fail (printf "proxy.noProxy: %q is no host, nor a suffix such as .corp.example.org" .) -}}
{{- end -}}
{{- end -}}
{{- if and $v.prometheus.url (not (regexMatch "^https?://[^/@]+(/.*)?$" $v.prometheus.url)) -}}
{{- fail (printf "prometheus.url: %q is no address such as http://prometheus-operated.monitoring.svc:9090" $v.prometheus.url) -}}
{{- end -}}
{{- if and $v.prometheus.existingSecret (not $v.prometheus.url) -}}
{{- fail "prometheus.url: say where Prometheus is, or leave out its Secret" -}}
{{- end -}}
{{- if ne (empty $v.prometheus.existingSecret) (empty $v.prometheus.secretKeys) -}}
{{- fail "prometheus.existingSecret and prometheus.secretKeys: name a Secret and which keys it has, such as [token]" -}}
{{- end -}}
{{- if ne (has "tls.crt" $v.prometheus.secretKeys) (has "tls.key" $v.prometheus.secretKeys) -}}
{{- fail "prometheus.secretKeys: tls.crt and tls.key go together" -}}
{{- end -}}
{{- /* The option alone would bring neither rights nor files, or say the opposite. */ -}}
{{- $saidBy := include "gantry.saidBy" . | fromYaml -}}
{{- range $program, $options := dict "gateway" $v.gateway.options "operator" $v.operator.options -}}
{{- range $option, $value := $options -}}
{{- with index $saidBy $program $option -}}
{{- fail (printf "%s.options.%s: cannot be set here; it comes from %s" $program $option .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not (regexMatch "^https?://[^/#]+[^#]*$" $v.monitoring.runbooks) -}}
{{- fail (printf "monitoring.runbooks: %q is no address of a page such as https://wiki.example.org/gantry-runbooks" $v.monitoring.runbooks) -}}
{{- end -}}
{{- $quantity := "^[0-9]+(Mi|Gi|Ti)$" -}}
{{- range $name := list "database" "registry" -}}
{{- $size := (index $v $name).size -}}
{{- if not (regexMatch $quantity $size) -}}
{{- fail (printf "%s.size: %q is no size such as 10Gi" $name $size) -}}
{{- end -}}
{{- end -}}
{{- if and $v.door.address (not (regexMatch "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?:[0-9]{1,5}$" $v.door.address)) -}}
{{- fail (printf "door.address: %q is no host and port such as ssh.example.org:22" $v.door.address) -}}
{{- end -}}
{{- if not $v.agent.pools -}}
{{- fail "agent.pools: needs at least one, or no root file system is saved" -}}
{{- end -}}
{{- range $pool := $v.agent.pools -}}
{{- if not (regexMatch "^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$" $pool.name) -}}
{{- fail (printf "agent.pools: the name %q must be lower-case letters, digits and -" $pool.name) -}}
{{- end -}}
{{- end -}}
{{- range $name, $digest := $v.image.digests -}}
{{- if not (regexMatch "^sha256:[a-f0-9]{64}$" $digest) -}}
{{- fail (printf "image.digests.%s: %q is no digest such as sha256:…" $name $digest) -}}
{{- end -}}
{{- end -}}
{{- end }}
