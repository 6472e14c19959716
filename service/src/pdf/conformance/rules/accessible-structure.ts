// Rules of PDF/UA on the tree of tags: what stands in what, headings, descriptions of figures.

import { element } from './accessibility.ts';
import type { Rule } from './rule.ts';
import { elements, kidsOf, parentTypeOf } from './tags.ts';

export const ACCESSIBLE_STRUCTURE_RULES: readonly Rule[] = [
  kidsRule('7.2-3', 'Table', ['TR', 'THead', 'TBody', 'TFoot', 'Caption']),
  inside('7.2-4', 'TR', ['Table', 'THead', 'TBody', 'TFoot']),
  inside('7.2-5', 'THead', ['Table']),
  inside('7.2-6', 'TBody', ['Table']),
  inside('7.2-7', 'TFoot', ['Table']),
  inside('7.2-8', 'TH', ['TR']),
  inside('7.2-9', 'TD', ['TR']),
  kidsRule('7.2-10', 'TR', ['TH', 'TD']),
  inside('7.2-17', 'LI', ['L']),
  inside('7.2-18', 'LBody', ['LI']),
  kidsRule('7.2-19', 'L', ['L', 'LI', 'Caption']),
  kidsRule('7.2-20', 'LI', ['Lbl', 'LBody']),
  inside('7.2-26', 'TOCI', ['TOC']),
  kidsRule('7.2-27', 'TOC', ['TOC', 'TOCI', 'Caption']),
  kidsRule('7.2-36', 'THead', ['TR']),
  kidsRule('7.2-37', 'TBody', ['TR']),
  kidsRule('7.2-38', 'TFoot', ['TR']),
  descriptionRule('7.3-1', 'Figure'),
  {
    at: { ua1: '7.4.2-1' },
    message: 'Headings go down level by level, from H1 on.',
    *find(subject) {
      let level = 0;
      for (const { standardType, where } of elements(subject)) {
        const heading = /^H([1-6])$/.exec(standardType)?.[1];
        if (heading === undefined) continue;
        if (Number(heading) > level + 1) yield where;
        level = Number(heading);
      }
    },
  },
  element(
    '7.4.4-1',
    'An element has at most one heading H.',
    ({ kids }) => kids.filter(({ standardType }) => standardType === 'H').length > 1,
  ),
  {
    at: { ua1: '7.4.4-2' },
    message: 'A document uses either H or H1 to H6.',
    *find(subject) {
      const all = elements(subject);
      if (!all.some(({ standardType }) => /^H[1-6]$/.test(standardType))) return;
      for (const { standardType, where } of all) if (standardType === 'H') yield where;
    },
  },
  {
    at: { ua1: '7.4.4-3' },
    message: 'A document uses either H1 to H6 or H.',
    *find(subject) {
      const all = elements(subject);
      if (!all.some(({ standardType }) => standardType === 'H')) return;
      for (const { standardType, where } of all) if (/^H[1-6]$/.test(standardType)) yield where;
    },
  },
  descriptionRule('7.7-1', 'Formula'),
];

function kidsRule(at: string, type: string, kids: readonly string[]): Rule {
  return element(
    at,
    `${type} holds nothing but ${kids.join(', ')}.`,
    (each) =>
      each.standardType === type && kidsOf(each).some(({ standardType }) => !kids.includes(standardType)),
  );
}

function inside(at: string, type: string, parents: readonly string[]): Rule {
  return element(
    at,
    `${type} stands in ${parents.join(', ')}.`,
    (each) => each.standardType === type && !parents.includes(parentTypeOf(each)),
  );
}

function descriptionRule(at: string, type: string): Rule {
  return element(
    at,
    `${type} has a description (Alt or ActualText).`,
    ({ standardType, dict }, { doc }) =>
      standardType === type && !doc.text(dict.get('Alt')) && !dict.has('ActualText'),
  );
}
