/** Processor time of this process in milliseconds: what work takes, whoever else is on the machine. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
