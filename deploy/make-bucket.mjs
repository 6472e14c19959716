// Makes the bucket that the settings name, where it is not there: for stores of one's own. Plain JavaScript, to be run
// in the image.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { BINDERY_S3_ENDPOINT, BINDERY_S3_BUCKET, BINDERY_S3_REGION = 'us-east-1' } = process.env;
const { BINDERY_S3_ACCESS_KEY_ID, BINDERY_S3_SECRET_ACCESS_KEY } = process.env;
const client = new S3Client({
  endpoint: BINDERY_S3_ENDPOINT,
  region: BINDERY_S3_REGION,
  forcePathStyle: true,
  credentials: {
    accessKeyId: BINDERY_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: BINDERY_S3_SECRET_ACCESS_KEY ?? '',
  },
});
const bucket = { Bucket: BINDERY_S3_BUCKET };

const isThere = await client.send(new HeadBucketCommand(bucket)).then(
  () => true,
  () => false,
);
if (!isThere) await client.send(new CreateBucketCommand(bucket));
console.log(`bucket ${BINDERY_S3_BUCKET}: ${isThere ? 'was there' : 'made'}`);
