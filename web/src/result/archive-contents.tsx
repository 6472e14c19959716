// A ZIP that came back: its files, each to be saved or used on.
import { useEffect, useState } from 'preact/hooks';
import { saveFile } from '../page/downloads.ts';
import { sizeOf, t } from '../strings.ts';
import { takeFiles } from '../work/files.ts';
import { announce } from '../work/voice.ts';
import { type ArchiveEntry, archiveEntries, entryFile } from './zip.ts';

export function ArchiveContents({ file }: { file: File }) {
  const [entries, setEntries] = useState<readonly ArchiveEntry[]>([]);
  useEffect(() => {
    let isHere = true;
    void archiveEntries(file).then(
      (found) => isHere && setEntries(found),
      () => {},
    );
    return () => {
      isHere = false;
    };
  }, [file]);
  if (entries.length === 0) return null;
  const useAll = async (): Promise<void> => {
    takeFiles(await Promise.all(entries.map((entry) => entryFile(file, entry))));
    announce(t('usedAsInput', file.name));
  };
  return (
    <div class="archive">
      <div class="archive-head">
        <span class="quiet">{t('entries', entries.length)}</span>
        <button type="button" class="link" onClick={() => void useAll()}>
          {t('useAll')}
        </button>
      </div>
      <ul>
        {entries.map((entry) => (
          <li key={entry.name}>
            <button
              type="button"
              class="link"
              onClick={async () =>
                saveFile(await entryFile(file, entry), entry.name.split('/').at(-1) ?? entry.name)
              }
            >
              {entry.name}
            </button>
            <span class="quiet">{sizeOf(entry.size)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
