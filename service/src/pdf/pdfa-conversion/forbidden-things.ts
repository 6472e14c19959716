// What PDF/A forbids and a document can do without: scripts, events, requirements, presentations, attachments.
import { ActionRemoval } from '../annotations/action-removal.ts';
import { allowedActions } from '../conformance/rules/interactive.ts';
import type { Standard } from '../conformance/standards.ts';
import { Layers } from '../content/layers.ts';
import type { PdfDocument } from '../document.ts';
import { changeDicts } from '../object-walk.ts';
import { Dict, name, type PdfValue, Ref } from '../objects.ts';
import { sanitize } from '../security/sanitizing.ts';
import { textString } from '../text-strings.ts';

const NAMED_ACTIONS = ['NextPage', 'PrevPage', 'FirstPage', 'LastPage'];

/** Files of any kind may be attached; in other parts they would have to be PDF/A themselves. */
export const keepsAttachments = ({ part, level }: Standard): boolean =>
  part === 3 || level === 'e' || level === 'f';

export function dropForbidden(doc: PdfDocument, standard: Standard): void {
  sanitize(doc, {
    javaScript: true,
    embeddedFiles: !keepsAttachments(standard),
    xmp: false,
    metadata: false,
    actions: false,
    links: false,
    fonts: false,
  });
  const catalog = doc.edit(doc.catalogRef);
  for (const key of ['AA', 'Requirements', 'NeedsRendering', 'Perms', 'Legal', 'Version', 'Extensions'])
    catalog.delete(key);
  const names = doc.dict(catalog.get('Names'));
  if (names?.has('AlternatePresentations')) {
    const left = new Dict(names);
    left.delete('AlternatePresentations');
    catalog.set('Names', left);
  }
  dropActions(doc, standard);
  for (const page of doc.pages()) for (const key of ['AA', 'PresSteps']) doc.edit(page).delete(key);
  tidyForm(doc);
  tidyLayers(doc, standard);
}

function dropActions(doc: PdfDocument, standard: Standard): void {
  const allowed = new Set(allowedActions(standard));
  const removal = new ActionRemoval(doc, (action) => {
    const kind = doc.name(action.get('S'));
    if (kind === 'Named') return !NAMED_ACTIONS.includes(doc.name(action.get('N')) ?? '');
    return kind === undefined || !allowed.has(kind);
  });
  changeDicts(doc, doc.allRefs(), (dict) => {
    const held = doc.dict(dict.get('A'));
    // Structure elements keep their attributes under A.
    const isAction = held?.has('S') === true && !dict.has('K');
    const isHolder = isAction || dict.has('AA') || dict.has('OpenAction') || dict.has('PA');
    return isHolder && removal.cleanHolder(dict);
  });
}

/** Fields start nothing, need no appearances to be made, and are no XFA. */
function tidyForm(doc: PdfDocument): void {
  const held = doc.catalog.get('AcroForm');
  const form = doc.dict(held);
  if (!form) return;
  const edited = held instanceof Ref ? doc.edit(held) : form;
  edited.delete('XFA');
  edited.delete('NeedAppearances');
  if (!(held instanceof Ref)) doc.edit(doc.catalogRef);
  const seen = new Set<Dict>();
  const waiting: PdfValue[] = [...(doc.array(edited.get('Fields')) ?? [])];
  while (waiting.length > 0 && seen.size < 200_000) {
    const value = waiting.pop() ?? null;
    const field = doc.dict(value);
    if (!field || seen.has(field)) continue;
    seen.add(field);
    if (field.has('AA') && value instanceof Ref) doc.edit(value).delete('AA');
    waiting.push(...(doc.array(field.get('Kids')) ?? []));
  }
}

/** Configurations of layers have different names and list every layer; nothing switches them. */
function tidyLayers(doc: PdfDocument, { part }: Standard): void {
  const held = doc.catalog.get('OCProperties');
  const properties = doc.dict(held);
  if (!properties) return;
  if (part === 1) {
    doc.edit(doc.catalogRef).delete('OCProperties');
    return;
  }
  const edited = held instanceof Ref ? doc.edit(held) : properties;
  const all = doc.array(edited.get('OCGs')) ?? [];
  settleLayers(doc, edited);
  const tidy = (value: PdfValue | undefined, index: number): Dict => {
    const config = new Dict(doc.dict(value) ?? []);
    config.delete('AS');
    config.set(
      'Name',
      textString(`${doc.text(config.get('Name')) || 'Layers'}${index > 0 ? ` ${index + 1}` : ''}`),
    );
    const order = doc.array(config.get('Order'));
    if (order) config.set('Order', [...order, ...all.filter((layer) => !isListed(doc, order, layer))]);
    return config;
  };
  edited.set('D', tidy(edited.get('D'), 0));
  const configs = doc.array(edited.get('Configs'));
  if (configs)
    edited.set(
      'Configs',
      configs.map((config, index) => tidy(config, index + 1)),
    );
  doc.edit(doc.catalogRef);
}

/** What layers would switch by themselves when the document is opened is switched now. */
function settleLayers(doc: PdfDocument, properties: Dict): void {
  const config = doc.dict(properties.get('D'));
  if (!config?.has('AS')) return;
  const hidden = new Layers(doc).hidden();
  const isHidden = new Set(hidden.map(({ key }) => key));
  const all = doc.array(properties.get('OCGs')) ?? [];
  const shown = all.filter((layer) => layer instanceof Ref && !isHidden.has(layer.key));
  properties.set('D', new Dict(config).set('ON', shown).set('OFF', hidden));
}

function isListed(doc: PdfDocument, order: PdfValue, layer: PdfValue, depth = 0): boolean {
  if (order instanceof Ref && layer instanceof Ref && order.key === layer.key) return true;
  const items = depth < 50 ? doc.array(order) : undefined;
  return items?.some((item) => isListed(doc, item, layer, depth + 1)) ?? false;
}

/** Parts 3 and 4: every embedded file says what it is and what it is for. */
export function describeAttachments(
  doc: PdfDocument,
  mediaType: (filename: string) => string | undefined,
): void {
  const specifications: PdfValue[] = [];
  changeDicts(doc, doc.allRefs(), (dict, ref) => {
    const files = doc.dict(dict.get('EF'));
    if (!files) return false;
    const filename = doc.text(dict.get('UF')) || doc.text(dict.get('F')) || 'attachment';
    dict.set('F', textString(filename)).set('UF', textString(filename));
    if (!dict.has('AFRelationship')) dict.set('AFRelationship', name('Unspecified'));
    for (const data of files.values()) {
      const stream = data instanceof Ref ? doc.edit(data) : undefined;
      const stated = doc.name(stream?.get('Subtype')) ?? '';
      if (stream && !/^[-\w+.]+\/[-\w+.]+$/.test(stated))
        stream.set('Subtype', name(mediaType(filename) ?? 'application/octet-stream'));
    }
    if (doc.dict(ref) === dict) specifications.push(ref);
    return true;
  });
  associate(doc, specifications);
}

function associate(doc: PdfDocument, specifications: readonly PdfValue[]): void {
  if (specifications.length === 0) return;
  const catalog = doc.edit(doc.catalogRef);
  const known = doc.array(catalog.get('AF')) ?? [];
  const keys = new Set(known.flatMap((each) => (each instanceof Ref ? each.key : [])));
  const missing = specifications.filter((each) => each instanceof Ref && !keys.has(each.key));
  if (missing.length > 0) catalog.set('AF', [...known, ...missing]);
}
