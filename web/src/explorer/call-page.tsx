// One call: what it does, its fields, its answers, and a form to send it.
import { useRef, useState } from 'preact/hooks';
import { saveFile } from '../page/downloads.ts';
import { Prose } from '../page/prose.tsx';
import { sizeOf, t } from '../strings.ts';
import { apiKey } from '../work/key.ts';
import {
  type Described,
  type DescribedCall,
  type DescribedField,
  fieldsOf,
  resolved,
  typeOf,
} from './description.ts';

interface Sent {
  status: string;
  headers: string;
  body: string;
  file: { blob: Blob; name: string } | undefined;
}

const MOST_TEXT = 20_000;

export function CallPage({ call, description }: { call: DescribedCall; description: Described }) {
  const fields = fieldsOf(description, call);
  return (
    <article class="call" aria-labelledby="call-title">
      <h2 id="call-title" lang="en">
        {call.summary}
      </h2>
      <p class="path">
        <span class="method">{call.method}</span>
        <code>{call.path}</code>
      </p>
      {call.description && (
        <p lang="en">
          <Prose text={call.description} />
        </p>
      )}
      {fields.length > 0 && (
        <section aria-labelledby="fields-title">
          <h3 id="fields-title">{t('fields')}</h3>
          <div class="table" tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('name')}</th>
                  <th scope="col">{t('type')}</th>
                  <th scope="col">{t('meaning')}</th>
                </tr>
              </thead>
              <tbody lang="en">
                {fields.map((field) => (
                  <tr key={field.name}>
                    <td>
                      <code>{field.name}</code>
                      {field.required && <em class="required"> {t('required')}</em>}
                    </td>
                    <td>{typeOf(description, field.schema)}</td>
                    <td>
                      <Prose text={field.description} />
                      {field.schema.default !== undefined &&
                        ` ${t('byDefault', JSON.stringify(field.schema.default))}`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      <section aria-labelledby="answers-title">
        <h3 id="answers-title">{t('answers')}</h3>
        <dl lang="en">
          {Object.entries(call.responses).map(([status, response]) => (
            <div key={status}>
              <dt>{status}</dt>
              <dd>
                <Prose text={resolved(description, response).description ?? ''} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <TryIt call={call} fields={fields} description={description} />
    </article>
  );
}

function TryIt({
  call,
  fields,
  description,
}: {
  call: DescribedCall;
  fields: readonly DescribedField[];
  description: Described;
}) {
  const form = useRef<HTMLFormElement>(null);
  const [sent, setSent] = useState<Sent | undefined>(undefined);
  const [isSending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    if (!form.current) return;
    setSending(true);
    setSent(await sendCall(call, fields, new FormData(form.current)));
    setSending(false);
  };
  return (
    <section aria-labelledby="try-title">
      <h3 id="try-title">{t('tryIt')}</h3>
      <form
        ref={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="fields" lang="en">
          {fields.map((field) => (
            <div class="field" key={field.name}>
              <label for={`try-${field.name}`}>
                {field.name}
                {field.required && <em class="required"> {t('required')}</em>}
              </label>
              <Input field={field} description={description} />
            </div>
          ))}
        </div>
        <div class="actions">
          <button type="submit" class="primary" disabled={isSending}>
            {t('send')}
          </button>
        </div>
      </form>
      {sent && (
        <div role="status">
          <h3>
            {t('answer')}: {sent.status}
          </h3>
          <pre tabIndex={0}>{sent.headers}</pre>
          {sent.file ? (
            <button type="button" onClick={() => sent.file && saveFile(sent.file.blob, sent.file.name)}>
              {t('download')} {sent.file.name} ({sizeOf(sent.file.blob.size)})
            </button>
          ) : (
            sent.body && <pre tabIndex={0}>{sent.body}</pre>
          )}
        </div>
      )}
    </section>
  );
}

function Input({ field, description }: { field: DescribedField; description: Described }) {
  const { name, schema } = field;
  const id = `try-${name}`;
  const items = schema.items ? resolved(description, schema.items) : schema;
  if (items.format === 'binary')
    return <input id={id} name={name} type="file" multiple={schema.items !== undefined} />;
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  if (!choices) return <input id={id} name={name} type="text" autoComplete="off" spellcheck={false} />;
  return (
    <select id={id} name={name}>
      <option value="">{t('notSet')}</option>
      {choices.map((each) => (
        <option key={String(each)} value={String(each)}>
          {String(each)}
        </option>
      ))}
    </select>
  );
}

async function sendCall(
  call: DescribedCall,
  fields: readonly DescribedField[],
  form: FormData,
): Promise<Sent> {
  let path = call.path;
  const headers: Record<string, string> = { 'x-api-key': apiKey.value };
  const body = new FormData();
  const query = new URLSearchParams();
  const json: Record<string, unknown> = {};
  for (const { name, place, schema } of fields) {
    for (const value of form.getAll(name)) {
      if (value === '' || (value instanceof File && value.size === 0 && value.name === '')) continue;
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
      else if (place === 'header') headers[name] = String(value);
      else if (place === 'query') query.append(name, String(value));
      else {
        body.append(name, value);
        json[name] = schema.type === 'integer' ? Number(value) : value;
      }
    }
  }
  const type = Object.keys(call.requestBody?.content ?? {})[0];
  if (type === 'application/json') headers['content-type'] = type;
  const init = call.requestBody && { body: type === 'application/json' ? JSON.stringify(json) : body };
  const asked = query.size > 0 ? `?${query}` : '';
  try {
    return await told(await fetch(path + asked, { method: call.method, headers, ...init }));
  } catch (error) {
    return { status: (error as Error).message, headers: '', body: '', file: undefined };
  }
}

async function told(answer: Response): Promise<Sent> {
  const status = `${answer.status} ${answer.statusText}`;
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const type = answer.headers.get('content-type') ?? '';
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  if (/json|^text\//.test(type)) {
    const text = await answer.text();
    return { status, headers, body: text.slice(0, MOST_TEXT), file: undefined };
  }
  const blob = await answer.blob();
  return { status, headers, body: '', file: blob.size > 0 ? { blob, name: name ?? 'result' } : undefined };
}
