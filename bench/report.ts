// A comparison in words, and whether its goals are met.
import type { Comparison, Side } from './compare.ts';
import { perSecond, quantile } from './load.ts';
import type { Scenario } from './scenario.ts';

export interface Ratios {
  best: number;
  tenth: number;
  throughput: number;
  /** Processor time of the rival by ours. */
  cpu: number;
}

export function ratiosOf({ ours, rival }: Comparison): Ratios | undefined {
  if (!rival) return undefined;
  return {
    best: quantile(rival.alone, 0) / quantile(ours.alone, 0),
    tenth: quantile(rival.alone, 0.1) / quantile(ours.alone, 0.1),
    throughput: perSecond(ours.loaded) / perSecond(rival.loaded),
    cpu: rival.aloneCpuMs / ours.aloneCpuMs,
  };
}

export const rivalName = ({ rival }: Scenario): string =>
  !rival ? '' : 'start' in rival ? rival.name : (rival.name ?? rival.runs ?? rival.program);

interface Goal {
  text: string;
  isMet: boolean;
}

function goalsOf({ goals = {} }: Scenario, comparison: Comparison): Goal[] {
  const { ours, rival, peakMb } = comparison;
  const ratios = ratiosOf(comparison);
  const made: Goal[] = [];
  const add = (text: string, isMet: boolean): void => void made.push({ text, isMet });
  const failed = ours.alone.failures + ours.loaded.failures;
  if (failed > 0) add(`${failed} of our requests FAILED`, false);
  if (rival && rival.alone.failures + rival.loaded.failures > 0)
    add('the rival failed: is it installed?', false);
  const { aloneRatio, throughputRatio, perSecond: rate, medianMs, peakMb: most } = goals;
  if (comparison.missing) add(`${comparison.missing} is not installed: nothing to compare with`, false);
  if (aloneRatio !== undefined && ratios)
    add(`alone at least ${aloneRatio} times as fast`, Math.min(ratios.best, ratios.tenth) >= aloneRatio);
  if (throughputRatio !== undefined && ratios)
    add(`at least ${throughputRatio} times its throughput`, ratios.throughput >= throughputRatio);
  if (rate !== undefined) add(`at least ${rate} per second`, perSecond(ours.loaded) >= rate);
  if (medianMs !== undefined) add(`median alone under ${medianMs} ms`, quantile(ours.alone, 0.5) < medianMs);
  if (most !== undefined) add(`largest process under ${most} MB (it is ${peakMb.toFixed(0)})`, peakMb < most);
  return made;
}

/** Prints it; the number of goals missed. */
export function report(scenario: Scenario, comparison: Comparison): number {
  const { ours, rival, memoryMb, atOnce } = comparison;
  const lines = [scenario.name, `  ${line('ours', ours, atOnce)}; ${memoryMb.toFixed(0)} MB`];
  if (rival) lines.push(`  ${line(rivalName(scenario), rival, atOnce)}`);
  const ratios = ratiosOf(comparison);
  if (ratios)
    lines.push(
      `  times as fast: alone ${times(ratios.best)} (best), ${times(ratios.tenth)} (10 %); ` +
        `throughput ${times(ratios.throughput)}; processor time ${times(ratios.cpu)}`,
    );
  const goals = goalsOf(scenario, comparison);
  for (const { text, isMet } of goals) lines.push(`  ${isMet ? 'met   ' : 'MISSED'} ${text}`);
  console.log(`${lines.join('\n')}\n`);
  return goals.filter(({ isMet }) => !isMet).length;
}

function line(name: string, { alone, loaded, aloneCpuMs, loadedCpuMs }: Side, connections: number): string {
  return (
    `${name.padEnd(10)} alone ${ms(quantile(alone, 0))} best, ${ms(quantile(alone, 0.1))} 10 %, ` +
    `${ms(quantile(alone, 0.5))} median, ${ms(aloneCpuMs)} processor; ` +
    `${perSecond(loaded).toFixed(1)} per second at ${connections}, ${ms(loadedCpuMs)} processor`
  );
}

export const ms = (value: number): string =>
  value < 100
    ? `${value.toFixed(1)} ms`
    : value < 10_000
      ? `${value.toFixed(0)} ms`
      : `${(value / 1000).toFixed(1)} s`;

export const times = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
