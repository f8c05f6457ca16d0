{{- define "tocsin.labels" -}}
app.kubernetes.io/name: tocsin
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "tocsin.selector" -}}
app.kubernetes.io/name: tocsin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tocsin.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tocsin.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "tocsin.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* The variables that all processes share. */}}
{{- define "tocsin.env" -}}
- name: PUBLIC_URL
  value: {{ required "publicUrl is required" .Values.publicUrl | quote }}
- name: DATA_DIR
  value: /data
{{- if .Values.sources }}
- name: SOURCES_FILE
  value: /etc/tocsin/sources.json
{{- end }}
{{- if and .Values.monitoring.enabled (not .Values.monitoring.useToken) }}
- name: METRICS_OPEN
  value: 'on'
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "tocsin.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.sources }}
- { name: sources, mountPath: /etc/tocsin, readOnly: true }
{{- end }}
{{- end }}

{{- /* With DATABASE_URL and SECRET_KEY a process keeps nothing on its disk. */}}
{{- define "tocsin.volumes" -}}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- if .Values.sources }}
- name: sources
  secret: { secretName: {{ .Release.Name }}-sources }
{{- end }}
{{- end }}

{{- define "tocsin.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
