import { file, operation, pdfFile } from '../define.ts';
import { flag, url } from '../fields.ts';
import { makeLasting } from './_lasting.ts';
import { appendable } from './_signing.ts';

export default operation({
  summary: 'Add a document timestamp',
  description:
    'A timestamp authority vouches for the whole document as it is at that moment (ETSI.RFC3161). The timestamp is ' +
    'appended: earlier revisions, signatures and encryption stay, and a certification permits it. With proofs the ' +
    'signatures of the document get what they are judged by first, so that they hold when their certificates have ' +
    'ended (PAdES B-LTA). A damaged document is rewritten before.',
  example: { tsaUrl: 'https://timestamps.example.org/' },
  inputs: { fileInput: file('pdf') },
  params: {
    tsaUrl: url('RFC 3161 timestamp authority, a public http or https address', { required: true }),
    proofs: flag(
      'Gather certificates and revocation data of all signatures from the public addresses that their certificates name',
    ),
  },
  output: pdfFile('_timestamped'),
  uses: ['qpdf', 'signatures'],
  asksAuthorities: ({ proofs }) => proofs,
  async run({ fileInput }, { tsaUrl, proofs }, { engine }) {
    const { content } = appendable(engine, fileInput);
    return { content: await makeLasting(engine, fileInput, content, { proofs, tsaUrl }) };
  },
});
