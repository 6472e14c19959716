// `bindery serve`: the service in this terminal.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from './command.ts';
import { serviceFile } from './own-service.ts';

export const SERVE: Command = {
  summary: 'Run the service here',
  positionals: [],
  options: {
    host: { value: 'address', description: 'Address to listen on; absent: BINDERY_HOST, else 127.0.0.1' },
    port: { value: 'port', description: 'Port to listen on; absent: BINDERY_PORT, else 8080' },
    'data-dir': { value: 'folder', description: 'Data folder; absent: BINDERY_DATA_DIR, else ./data' },
  },
  examples: ['bindery serve --port 9000'],
  async run(words) {
    const settings = { BINDERY_HOST: 'host', BINDERY_PORT: 'port', BINDERY_DATA_DIR: 'data-dir' };
    const given = Object.entries(settings).flatMap(([setting, option]) => {
      const value = words.text(option);
      return value === undefined ? [] : [[setting, value]];
    });
    const service = serviceFile('"npm start" in a clone of Bindery runs it, as does its image');
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', service], {
      stdio: 'inherit',
      env: { ...process.env, ...Object.fromEntries(given) },
    });
    // A terminal sends Ctrl-C to both; only what comes from elsewhere is passed on.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    const [code] = await once(child, 'exit');
    process.exitCode = typeof code === 'number' ? code : 1;
  },
};
