// How much memory there is for documents, as far as a process knows of itself.
import { getHeapStatistics } from 'node:v8';

/** A worker's heap may be three quarters of what the operator allows (jobs/worker-process.ts). */
export const DOCUMENT_MEMORY_BYTES = getHeapStatistics().heap_size_limit / 0.75;
