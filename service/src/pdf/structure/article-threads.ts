// Article threads: chains of beads over pages (ISO 32000-1, 12.4.3), relinked over the pages that remain.
import type { PdfDocument } from '../document.ts';
import { Dict, type PdfValue, Ref } from '../objects.ts';

interface Bead {
  ref: Ref;
  dict: Dict;
  page: string;
}
interface Thread {
  ref: Ref;
  dict: Dict;
  beads: Bead[];
}

const MAX_BEADS = 200_000;

/** The threads of a document, to be cut down to some of its pages as often as wished. */
export class ArticleThreads {
  private readonly doc: PdfDocument;
  private readonly threads: Thread[] = [];
  private beadCount = 0;

  constructor(doc: PdfDocument) {
    this.doc = doc;
    const seen = new Set<string>();
    for (const ref of doc.array(doc.catalog.get('Threads')) ?? []) {
      const dict = doc.dict(ref);
      if (!(ref instanceof Ref) || !dict || seen.has(ref.key)) continue;
      seen.add(ref.key);
      this.threads.push({ ref, dict: new Dict(dict), beads: this.readBeads(dict.get('F'), seen) });
    }
  }

  private readBeads(first: PdfValue | undefined, seen: Set<string>): Bead[] {
    const beads: Bead[] = [];
    let ref = first;
    while (ref instanceof Ref && !seen.has(ref.key) && this.beadCount < MAX_BEADS) {
      const dict = this.doc.dict(ref);
      if (!dict) break;
      seen.add(ref.key);
      this.beadCount += 1;
      const page = dict.get('P');
      beads.push({ ref, dict: new Dict(dict), page: page instanceof Ref ? page.key : '' });
      ref = dict.get('N');
    }
    return beads;
  }

  /** Relinks the beads on these pages, drops threads without any, and tells which beads are left. */
  keep(catalog: Dict, isKept: (pageKey: string) => boolean): ReadonlySet<string> {
    const left = new Set<string>();
    if (!catalog.has('Threads')) return left;
    const threads: Ref[] = [];
    for (const { ref, dict, beads } of this.threads) {
      const kept = beads.filter((bead) => isKept(bead.page));
      const [first] = kept;
      if (!first) continue;
      this.link(ref, kept);
      for (const bead of kept) left.add(bead.ref.key);
      this.doc.replace(ref, new Dict(dict).set('F', first.ref));
      threads.push(ref);
    }
    catalog.put('Threads', threads.length > 0 ? threads : undefined);
    return left;
  }

  private link(thread: Ref, beads: readonly Bead[]): void {
    beads.forEach((bead, index) => {
      const dict = new Dict(bead.dict);
      dict.set('N', (beads[(index + 1) % beads.length] ?? bead).ref);
      dict.set('V', (beads.at(index - 1) ?? bead).ref);
      // "T (required for the first bead of a thread)"
      if (index === 0) dict.set('T', thread);
      this.doc.replace(bead.ref, dict);
    });
  }
}
