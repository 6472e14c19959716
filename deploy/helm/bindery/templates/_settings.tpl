{{- define "bindery.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{- define "bindery.settings" -}}
{{- $secret := include "bindery.secret" .root -}}
- name: BINDERY_ROLE
  value: {{ .role }}
- name: BINDERY_BASE_URL
  value: {{ .root.Values.baseUrl | quote }}
# Until nobody is sent here any more.
- name: BINDERY_LINGER_MS
  value: "5000"
- name: BINDERY_TRUSTED_PROXIES
  value: {{ .root.Values.trustedProxies | quote }}
{{- if eq .role "worker" }}
- name: BINDERY_WORKERS
  value: {{ .own.processes | quote }}
{{- end }}
- name: BINDERY_S3_BUCKET
  value: {{ required "s3.bucket is needed" .root.Values.s3.bucket | quote }}
- name: BINDERY_S3_REGION
  value: {{ .root.Values.s3.region | quote }}
{{- with .root.Values.s3.endpoint }}
- name: BINDERY_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with .root.Values.s3.prefix }}
- name: BINDERY_S3_PREFIX
  value: {{ . | quote }}
{{- end }}
{{ include "bindery.fromSecret" (dict "name" "BINDERY_REDIS_URL" "secret" $secret "key" "redis-url") }}
{{ include "bindery.fromSecret" (dict "name" "BINDERY_API_KEY" "secret" $secret "key" "api-key" "optional" true) }}
{{ include "bindery.fromSecret" (dict "name" "BINDERY_S3_ACCESS_KEY_ID" "secret" $secret "key" "s3-access-key-id" "optional" true) }}
{{ include "bindery.fromSecret" (dict "name" "BINDERY_S3_SECRET_ACCESS_KEY" "secret" $secret "key" "s3-secret-access-key" "optional" true) }}
{{- range $name, $value := merge (dict) .own.settings .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
