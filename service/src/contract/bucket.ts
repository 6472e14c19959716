// Where bytes are kept that several machines share: a bucket of an S3 server.
export interface BucketOptions {
  endpoint: string | undefined;
  bucket: string;
  region: string;
  /** Absent: what the SDK finds by itself (environment, profile, role of the machine). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** All names begin with it. */
  prefix: string;
}
