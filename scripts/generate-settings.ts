// docs/reference/settings.md, from the settings that config.ts declares.
import { SECRET_SETTINGS, SETTINGS } from '../service/src/config.ts';

export async function settingsTable(): Promise<string> {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${code(setting.default)} | ${cell(setting.meaning)} |\n`,
  );
  return `<!-- Made by \`npm run generate\` from service/src/config.ts. -->
# Settings

Environment variables. One that is absent or empty takes its default; one that cannot be used stops the start with
a line that names it. Secrets may stand in files instead, named by ${SECRET_SETTINGS.map((name) => `\`${name}_FILE\``).join(', ')}: their whole content, blanks and line ends
around it apart, is the value.

| name | default | meaning |
|---|---|---|
${rows.join('')}`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const code = (text: string): string => (text === '' ? '(none)' : `\`${cell(text)}\``);
