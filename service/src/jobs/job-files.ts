// All files of a job: those it came with, and those of its steps.
import type { Job, JobFile } from './job.ts';

export const filesOf = ({ files, steps }: Job): JobFile[] => [
  ...files,
  ...steps.flatMap(({ extraFiles }) => Object.values(extraFiles).flat()),
];

/** Each file changed, in the order of `filesOf`. */
export const withFiles = (job: Job, change: (file: JobFile) => JobFile): Job => ({
  ...job,
  files: job.files.map(change),
  steps: job.steps.map((step) => ({
    ...step,
    extraFiles: Object.fromEntries(
      Object.entries(step.extraFiles).map(([name, files]) => [name, files.map(change)]),
    ),
  })),
});
