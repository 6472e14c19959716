// Lines and curves in as few operators as there are for them (Adobe Technical Note 5177, chapter 4.4).
import { type Fixed, type2Number } from './type2-numbers.ts';

const OPERATOR = {
  line: 5,
  horizontalLine: 6,
  verticalLine: 7,
  curve: 8,
  curvesThenLine: 24,
  linesThenCurve: 25,
  levelCurves: 27,
  uprightCurves: 26,
  fromUpright: 30,
  fromLevel: 31,
} as const;
const MAX_OPERANDS = 48;

/** Two differences are a line, six a curve. */
type Drawn = readonly Fixed[];

interface Written {
  /** How many lines or curves were taken. */
  taken: number;
  operands: Fixed[];
  operator: number;
}

export function writePath(drawn: readonly Drawn[]): number[] {
  const bytes: number[] = [];
  for (let at = 0; at < drawn.length; ) {
    const { taken, operands, operator } = best(drawn, at);
    bytes.push(...operands.flatMap(type2Number), operator);
    at += taken;
  }
  return bytes;
}

function best(drawn: readonly Drawn[], at: number): Written {
  const first = drawn[at] ?? [];
  if (first.length === 2) return isStraight(first) ? straightLines(drawn, at) : lines(drawn, at);
  const turning = turningCurves(drawn, at);
  const even = evenCurves(drawn, at);
  if (turning.taken > 0 || even.taken > 0) return turning.taken >= even.taken ? turning : even;
  return curves(drawn, at);
}

const isStraight = ([dx, dy]: Drawn): boolean => dx === 0 || dy === 0;
const isLine = (item: Drawn | undefined): item is Drawn => item?.length === 2;
const isCurve = (item: Drawn | undefined): item is Drawn => item?.length === 6;

/** Level and upright lines by turns. */
function straightLines(drawn: readonly Drawn[], at: number): Written {
  const isLevelFirst = drawn[at]?.[1] === 0;
  const operands: Fixed[] = [];
  let isLevel = isLevelFirst;
  for (let index = at; operands.length < MAX_OPERANDS; index += 1) {
    const line = drawn[index];
    if (!isLine(line) || line[isLevel ? 1 : 0] !== 0) break;
    operands.push(line[isLevel ? 0 : 1] ?? 0);
    isLevel = !isLevel;
  }
  const operator = isLevelFirst ? OPERATOR.horizontalLine : OPERATOR.verticalLine;
  return { taken: operands.length, operands, operator };
}

/** Any lines, and a curve that comes behind them. */
function lines(drawn: readonly Drawn[], at: number): Written {
  const operands: Fixed[] = [];
  let index = at;
  for (; operands.length + 8 <= MAX_OPERANDS; index += 1) {
    const line = drawn[index];
    if (!isLine(line) || isStraight(line)) break;
    operands.push(...line);
  }
  const next = drawn[index];
  if (isCurve(next) && isPlain(next))
    return { taken: index + 1 - at, operands: [...operands, ...next], operator: OPERATOR.linesThenCurve };
  return { taken: index - at, operands, operator: OPERATOR.line };
}

/** A curve that begins and ends neither level nor upright. */
const isPlain = ([dx1, dy1, , , dx3, dy3]: Drawn): boolean => ![dx1, dy1, dx3, dy3].includes(0);

/** Any curves, and a line that comes behind them. */
function curves(drawn: readonly Drawn[], at: number): Written {
  const operands: Fixed[] = [];
  let index = at;
  for (; operands.length + 8 <= MAX_OPERANDS; index += 1) {
    const curve = drawn[index];
    if (!isCurve(curve) || (index > at && !isPlain(curve))) break;
    operands.push(...curve);
  }
  const next = drawn[index];
  if (isLine(next) && !isStraight(next))
    return { taken: index + 1 - at, operands: [...operands, ...next], operator: OPERATOR.curvesThenLine };
  return { taken: index - at, operands, operator: OPERATOR.curve };
}

/** Curves from level to upright and back, by turns. The last one may end anyhow. */
function turningCurves(drawn: readonly Drawn[], at: number): Written {
  const isLevelFirst = drawn[at]?.[1] === 0;
  const operands: Fixed[] = [];
  let isLevel = isLevelFirst;
  let index = at;
  while (operands.length + 5 <= MAX_OPERANDS) {
    const curve = drawn[index];
    if (!isCurve(curve) || curve[isLevel ? 1 : 0] !== 0) break;
    const [dx1 = 0, dy1 = 0, dx2 = 0, dy2 = 0, dx3 = 0, dy3 = 0] = curve;
    const [across, along] = isLevel ? [dx3, dy3] : [dy3, dx3];
    operands.push(isLevel ? dx1 : dy1, dx2, dy2, along);
    index += 1;
    if (across !== 0) {
      operands.push(across);
      break;
    }
    isLevel = !isLevel;
  }
  const operator = isLevelFirst ? OPERATOR.fromLevel : OPERATOR.fromUpright;
  return { taken: index - at, operands, operator };
}

/** Curves that end as they begin, all level or all upright. The first one may begin anyhow. */
function evenCurves(drawn: readonly Drawn[], at: number): Written {
  const [level, upright] = [evenCurvesAlong(drawn, at, 0), evenCurvesAlong(drawn, at, 1)];
  return level.taken >= upright.taken ? level : upright;
}

function evenCurvesAlong(drawn: readonly Drawn[], at: number, along: 0 | 1): Written {
  const across = along === 0 ? 1 : 0;
  const operands: Fixed[] = [];
  let index = at;
  for (; operands.length + 5 <= MAX_OPERANDS; index += 1) {
    const curve = drawn[index];
    if (!isCurve(curve) || curve[4 + across] !== 0) break;
    const astray = curve[across] ?? 0;
    if (astray !== 0 && index > at) break;
    if (astray !== 0) operands.push(astray);
    operands.push(curve[along] ?? 0, curve[2] ?? 0, curve[3] ?? 0, curve[4 + along] ?? 0);
  }
  const operator = along === 0 ? OPERATOR.levelCurves : OPERATOR.uprightCurves;
  return { taken: index - at, operands, operator };
}
