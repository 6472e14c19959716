// Languages of text recognition: those that this service has, as ticks.
import type { ControlProps } from './controls.tsx';

export function LanguagesControl({
  id,
  param,
  value,
  onChange,
  describedBy,
  known,
}: ControlProps & { known: readonly string[] }) {
  const chosen = (Array.isArray(value) ? value : (param.default as readonly string[] | undefined)) ?? [];
  // What was loaded from a file may name others.
  const all = [...new Set([...known, ...chosen.map(String)])];
  return (
    <div class="ticks" id={id} role="group" aria-describedby={describedBy} tabIndex={-1}>
      {all.map((code) => (
        <label key={code} class="tick">
          <input
            type="checkbox"
            name={param.name}
            value={code}
            checked={chosen.includes(code)}
            onChange={({ currentTarget }) => {
              const next = currentTarget.checked ? [...chosen, code] : chosen.filter((each) => each !== code);
              onChange(next.length > 0 ? next : undefined);
            }}
          />
          {code}
        </label>
      ))}
    </div>
  );
}
