{{/* The Pod of a gateway, for the StatefulSet of one with a volume and the Deployment of many on PostgreSQL. */}}
{{- define "gantry.gateway.template" -}}
{{- $labels := dict "root" . "part" "gateway" -}}
metadata:
  labels:
    {{- include "gantry.labels" $labels | nindent 4 }}
  annotations:
    kubectl.kubernetes.io/default-container: gateway
spec:
  serviceAccountName: gantry-gateway
  priorityClassName: system-cluster-critical
  # The environment of a proxy names the registry's Service by its address.
  enableServiceLinks: {{ ne (include "gantry.proxy" .) "" }}
  # Calls may take half a minute, after those that still come.
  terminationGracePeriodSeconds: 60
  securityContext:
    {{- include "gantry.restricted.pod" . | nindent 4 }}
  {{- include "gantry.pullSecrets" . | nindent 2 }}
  {{- include "gantry.placement" . | nindent 2 }}
  {{- include "gantry.spread" $labels | nindent 2 }}
  containers:
    - name: gateway
      image: {{ include "gantry.image" (dict "root" . "name" "gateway") | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy | quote }}
      # All as environment, so that commands beside it (`kubectl exec … gantry doctor`) have the same.
      env:
        {{- include "gantry.gateway.env" . | nindent 8 }}
      {{- with .Values.gateway.environmentSecret }}
      envFrom:
        - secretRef:
            name: {{ . | quote }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8080
        - name: tenants
          containerPort: 8082
        - name: kubernetes
          containerPort: 8083
        - name: admin
          containerPort: 8084
        - name: portal
          containerPort: 8085
        - name: metrics
          containerPort: 9090
      # The first start makes the database, and migrations are as long as what they change.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 150
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 3
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources:
        {{- toYaml .Values.gateway.resources | nindent 8 }}
      securityContext:
        {{- include "gantry.restricted.container" . | nindent 8 }}
      volumeMounts:
        {{- include "gantry.gateway.mounts" . | nindent 8 }}
  volumes:
    {{- include "gantry.gateway.volumes" . | nindent 4 }}
{{- end }}

{{/* Environment, mounts and volumes of whatever runs the gateway's image: the gateway, and a restore. */}}
{{- define "gantry.gateway.env" -}}
{{ include "gantry.noCards" . }}
{{- include "gantry.proxy" . }}
{{- range $name, $value := include "gantry.gateway.environment" . | fromYaml }}
- name: GANTRY_{{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $value := .Values.gateway.options }}
- name: GANTRY_{{ $name | upper | replace "-" "_" }}
  value: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
{{- end }}
{{- with .Values.database.existingSecret }}
- name: GANTRY_DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ . | quote }}
      key: url
{{- end }}
{{- end }}

{{- define "gantry.gateway.mounts" -}}
- name: tmp
  mountPath: /tmp
- name: platform-key
  mountPath: /etc/gantry/platform
  readOnly: true
- name: administrator
  mountPath: /etc/gantry/administrator
  readOnly: true
{{- if not (include "gantry.hasEdge" .) }}
- name: kubernetes-tls
  mountPath: /etc/gantry/kubernetes
  readOnly: true
{{- end }}
{{- if not .Values.database.existingSecret }}
- name: data
  mountPath: /data
{{- end }}
{{- range $name, $secret := include "gantry.gateway.files" . | fromYaml }}
- name: {{ $name | replace "/" "-" | quote }}
  mountPath: /etc/gantry/{{ $name }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "gantry.gateway.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 1Gi
- name: platform-key
  secret:
    secretName: {{ include "gantry.secret.platformKey" . | quote }}
    defaultMode: 0440
- name: administrator
  secret:
    secretName: {{ include "gantry.secret.administrator" . | quote }}
    defaultMode: 0440
    # Nobody needs it once there is an administrator.
    optional: true
{{- if not (include "gantry.hasEdge" .) }}
- name: kubernetes-tls
  secret:
    secretName: {{ include "gantry.secret.kubernetesTls" . | quote }}
    defaultMode: 0440
{{- end }}
{{- if not .Values.database.existingSecret }}
- name: data
  persistentVolumeClaim:
    claimName: {{ .Values.database.existingClaim | default "gantry-gateway-data" | quote }}
{{- end }}
{{- range $name, $secret := include "gantry.gateway.files" . | fromYaml }}
- name: {{ $name | replace "/" "-" | quote }}
  secret:
    secretName: {{ $secret | quote }}
    defaultMode: 0440
{{- end }}
{{- end }}

{{/* Secrets of the installation's own, by the folders below /etc/gantry that have their files. */}}
{{- define "gantry.gateway.files" -}}
{{- with .Values.gateway.filesSecret }}
files: {{ . | quote }}
{{- end }}
{{- range .Values.clusters }}
clusters/{{ .region }}: {{ .existingSecret | quote }}
{{- end }}
{{- with .Values.prometheus.existingSecret }}
prometheus: {{ . | quote }}
{{- end }}
{{- if .Values.models.s3.bucket }}
models: {{ .Values.models.s3.existingSecret | quote }}
{{- end }}
{{- if .Values.backup.s3.bucket }}
backup: {{ .Values.backup.existingSecret | quote }}
backup-s3: {{ .Values.backup.s3.existingSecret | quote }}
{{- end }}
{{- end }}

{{- define "gantry.gateway.environment" -}}
HOST: 0.0.0.0
PORT: "8080"
TENANT_HOST: 0.0.0.0
TENANT_PORT: "8082"
KUBERNETES_HOST: 0.0.0.0
KUBERNETES_PORT: "8083"
ADMIN_HOST: 0.0.0.0
ADMIN_PORT: "8084"
PORTAL_HOST: 0.0.0.0
PORTAL_PORT: "8085"
METRICS_HOST: 0.0.0.0
METRICS_PORT: "9090"
PUBLIC_URL: {{ include "gantry.url.console" . | quote }}
ADMIN_URL: {{ include "gantry.url.admin" . | quote }}
PORTAL_URL: {{ include "gantry.url.portal" . | quote }}
KUBERNETES_URL: {{ include "gantry.url.kubernetes" . | quote }}
{{- with .Values.tenantDomain }}
TENANT_DOMAIN: {{ . | quote }}
{{- end }}
REGION: {{ .Values.region | quote }}
{{- if .Values.clusters }}
OTHER_CLUSTERS_DIR: /etc/gantry/clusters
{{- end }}
REGION_LABEL: {{ .Values.regionLabel | quote }}
BILLING: {{ .Values.billing | quote }}
SHARED_POOL: {{ .Values.sharedPool | quote }}
{{- range $name := list "host-taint-key" "gpu-taints" "simulated-nodes" }}
{{- if hasKey $.Values.operator.options $name }}
{{ $name | upper | replace "-" "_" }}: {{ get $.Values.operator.options $name | toString | quote }}
{{- end }}
{{- end }}
PLATFORM_KEY_FILE: /etc/gantry/platform/key
ADMINISTRATOR_PASSWORD_FILE: /etc/gantry/administrator/password
{{- with include "gantry.registry.url" . }}
REGISTRY_URL: {{ . | quote }}
{{- end }}
{{- if not .Values.database.existingSecret }}
DATA_DIR: /data/database
{{- else }}
# Longer than nodes take to learn that a Pod ends.
DRAIN: 8s
{{- end }}
PROBE_IMAGE: {{ include "gantry.image.probe" . | quote }}
{{- with .Values.prometheus }}
{{- if .url }}
PROMETHEUS_URL: {{ .url | quote }}
{{- end }}
{{- $options := dict "token" "TOKEN_FILE" "ca.crt" "CA_FILE" "tls.crt" "CERT_FILE" "tls.key" "KEY_FILE" }}
{{- range .secretKeys }}
PROMETHEUS_{{ index $options . }}: /etc/gantry/prometheus/{{ . }}
{{- end }}
{{- end }}
HUB_URL: {{ .Values.models.hub | quote }}
{{- with .Values.models.engineImages }}
{{- $images := list }}
{{- range $engine, $image := . }}
{{- $images = append $images (printf "%s=%s" $engine $image) }}
{{- end }}
ENGINE_IMAGES: {{ join "," $images | quote }}
{{- end }}
{{- with .Values.models.s3 }}
{{- if .bucket }}
OBJECT_STORE_URL: {{ include "gantry.s3.endpoint" . | quote }}
OBJECT_STORE_BUCKET: {{ .bucket | quote }}
OBJECT_STORE_REGION: {{ .region | quote }}
OBJECT_STORE_CREDENTIALS_FILE: /etc/gantry/models
{{- end }}
{{- end }}
{{- with .Values.backup }}
{{- if .s3.bucket }}
BACKUP_BUCKET: {{ .s3.bucket | quote }}
BACKUP_ENDPOINT: {{ .s3.endpoint | quote }}
BACKUP_REGION: {{ .s3.region | quote }}
BACKUP_PREFIX: {{ .prefix | quote }}
BACKUP_CREDENTIALS_FILE: /etc/gantry/backup-s3
BACKUP_KEY_FILE: /etc/gantry/backup/key
BACKUP_SCHEDULE: {{ .schedule | quote }}
BACKUP_KEEP_DAYS: {{ .keepDays | quote }}
{{- end }}
{{- end }}
{{- if not (include "gantry.hasEdge" .) }}
KUBERNETES_TLS_CERT_FILE: /etc/gantry/kubernetes/tls.crt
KUBERNETES_TLS_KEY_FILE: /etc/gantry/kubernetes/tls.key
KUBERNETES_CA_FILE: /etc/gantry/kubernetes/ca.crt
{{- end }}
{{- end }}
