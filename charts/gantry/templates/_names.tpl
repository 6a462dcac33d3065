{{/* Names, labels, images, addresses: everything that two templates must agree on. */}}

{{- define "gantry.labels" -}}
app.kubernetes.io/name: gantry-{{ .part }}
app.kubernetes.io/part-of: gantry
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
gantry.dev/managed: "true"
{{- end }}

{{/* Never changes: a Deployment's selector cannot. */}}
{{- define "gantry.selector" -}}
app.kubernetes.io/name: gantry-{{ .part }}
{{- end }}

{{- define "gantry.image" -}}
{{- $image := .root.Values.image -}}
{{- $digest := index $image.digests .name -}}
{{- if $digest -}}
{{ $image.registry }}/{{ .name }}@{{ $digest }}
{{- else -}}
{{ $image.registry }}/{{ .name }}:{{ .tag | default $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "gantry.image.probe" -}}
{{- .Values.image.probe | default (include "gantry.image" (dict "root" . "name" "busybox" "tag" "1.36")) -}}
{{- end }}

{{- define "gantry.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* Where people find the parts. Without a domain: by port forwarding, at the ports of NOTES.txt. */}}
{{- define "gantry.url.console" -}}
{{- .Values.urls.console | default (ternary (printf "https://console.%s" .Values.domain) "http://localhost:8080" (ne .Values.domain "")) | trimSuffix "/" -}}
{{- end }}
{{- define "gantry.url.admin" -}}
{{- .Values.urls.admin | default (ternary (printf "https://admin.%s" .Values.domain) "http://localhost:8084" (ne .Values.domain "")) | trimSuffix "/" -}}
{{- end }}
{{- define "gantry.url.portal" -}}
{{- .Values.urls.portal | default (ternary (printf "https://www.%s" .Values.domain) "http://localhost:8085" (ne .Values.domain "")) | trimSuffix "/" -}}
{{- end }}
{{- define "gantry.url.kubernetes" -}}
{{- .Values.urls.kubernetes | default (ternary (printf "https://kube.%s" .Values.domain) "https://localhost:8083" (ne .Values.domain "")) | trimSuffix "/" -}}
{{- end }}
{{- define "gantry.url.tenants" -}}
{{- if .Values.urls.tenants -}}
{{- .Values.urls.tenants | trimSuffix "/" -}}
{{- else if .Values.tenantDomain -}}
https://{{ .Values.tenantDomain }}
{{- end -}}
{{- end }}
{{- define "gantry.host" -}}
{{- (urlParse .).hostname -}}
{{- end }}

{{- define "gantry.door.address" -}}
{{- if and .Values.door.enabled (or .Values.door.address .Values.domain) -}}
{{- .Values.door.address | default (printf "ssh.%s:%d" .Values.domain (int .Values.door.service.port)) -}}
{{- end -}}
{{- end }}

{{/* As Pods reach it. */}}
{{- define "gantry.registry.url" -}}
{{- $registry := .Values.registry -}}
{{- if $registry.enabled -}}
http://gantry-registry.{{ .Release.Namespace }}.svc:5000
{{- else if $registry.external.address -}}
{{ ternary "http" "https" $registry.external.plainHttp }}://{{ $registry.external.address }}
{{- end -}}
{{- end }}

{{/* Of Amazon's where no other is named. */}}
{{- define "gantry.s3.endpoint" -}}
{{- .endpoint | default (printf "https://s3.%s.amazonaws.com" .region) -}}
{{- end }}

{{- define "gantry.secret.platformKey" -}}{{ .Values.platformKey.existingSecret | default "gantry-platform-key" }}{{- end }}
{{- define "gantry.secret.administrator" -}}{{ .Values.administrator.existingSecret | default "gantry-administrator" }}{{- end }}
{{- define "gantry.secret.registry" -}}{{ .Values.registry.existingSecret | default "gantry-registry" }}{{- end }}
{{- define "gantry.secret.kubernetesTls" -}}{{ .Values.tls.kubernetesExistingSecret | default "gantry-kubernetes-tls" }}{{- end }}

{{/* Whether something in front of the gateway ends TLS for kubectl. */}}
{{- define "gantry.hasEdge" -}}{{- if or .Values.ingress.enabled .Values.gatewayApi.enabled -}}yes{{- end -}}{{- end }}

{{/* What Pod Security calls restricted. */}}
{{- define "gantry.restricted.pod" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}
{{- define "gantry.restricted.container" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* Together on one node they would go with it. Zones are no spread constraint: where nodes have no zone, none of a Pod's
constraints would count. */}}
{{- define "gantry.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "gantry.selector" $ | nindent 8 }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: topology.kubernetes.io/zone
          labelSelector:
            matchLabels:
              {{- include "gantry.selector" $ | nindent 14 }}
{{- end }}

{{- define "gantry.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Environment of those who reach outside. The registry says by address where its tokens are. */}}
{{- define "gantry.proxy" -}}
{{- $proxy := .Values.proxy }}
{{- range $name, $url := dict "HTTP_PROXY" $proxy.http "HTTPS_PROXY" $proxy.https }}
{{- with $url }}
- name: {{ $name | quote }}
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if or $proxy.http $proxy.https }}
- name: NODE_USE_ENV_PROXY
  value: "1"
- name: NO_PROXY
  value: {{ concat (list "localhost" "127.0.0.1" "::1" ".svc" ".cluster.local" ".internal" "$(KUBERNETES_SERVICE_HOST)" "$(GANTRY_REGISTRY_SERVICE_HOST)") $proxy.noProxy | join "," | quote }}
{{- end }}
{{- end }}

{{/* Whatever an image's environment says: our own containers open none of their node's GPUs. */}}
{{- define "gantry.noCards" -}}
- name: NVIDIA_VISIBLE_DEVICES
  value: void
{{- end }}

{{/* Additional options of a program, as flags. */}}
{{- define "gantry.options" -}}
{{- range $name, $value := . }}
{{- /* As JSON a large number has no exponent. */}}
- {{ printf "--%s=%s" $name (ternary $value (toJson $value) (kindIs "string" $value)) | quote }}
{{- end }}
{{- end }}
