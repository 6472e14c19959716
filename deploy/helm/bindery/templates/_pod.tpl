{{- define "bindery.labels" -}}
app.kubernetes.io/name: bindery
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "bindery.allLabels" -}}
{{ include "bindery.labels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "bindery.name" -}}
{{ printf "%s-%s" .root.Release.Name .role | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "bindery.secret" -}}
{{ .Values.secret.existing | default (printf "%s-bindery" .Release.Name) }}
{{- end }}

{{- define "bindery.deployment" -}}
{{- $own := index .root.Values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bindery.name" . }}
  labels:
    {{- include "bindery.allLabels" . | nindent 4 }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "bindery.labels" . | nindent 6 }}
  # One more before one less: nobody is without a node.
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  template:
    metadata:
      labels:
        {{- include "bindery.allLabels" . | nindent 8 }}
      annotations:
        # A changed secret is a reason to start anew.
        checksum/secret: {{ include (print .root.Template.BasePath "/secret.yaml") .root | sha256sum }}
        {{- with .root.Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 50
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile:
          {{- toYaml .root.Values.seccompProfile | nindent 10 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "bindery.labels" . | nindent 14 }}
      containers:
        - name: bindery
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          ports:
            - { name: http, containerPort: 8080 }
          env:
            {{- include "bindery.settings" (dict "root" .root "role" .role "own" $own) | nindent 12 }}
          # Ready once the engines are known, and while Redis and the bucket answer.
          startupProbe:
            httpGet: { path: /api/v1/info/ready, port: http }
            periodSeconds: 2
            failureThreshold: 60
          readinessProbe:
            httpGet: { path: /api/v1/info/ready, port: http }
            periodSeconds: 3
            timeoutSeconds: 3
            failureThreshold: 2
          # An outage of Redis is no reason to be killed.
          livenessProbe:
            httpGet: { path: /api/v1/info/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          resources:
            {{- toYaml $own.resources | nindent 12 }}
          volumeMounts:
            - { name: data, mountPath: /var/lib/bindery }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - name: data
          emptyDir: { sizeLimit: {{ $own.dataSize }} }
        - name: tmp
          emptyDir: { medium: Memory, sizeLimit: 256Mi }
      {{- with .root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
