// The settings LibreOffice runs with: no macros, nothing fetched or read beside the document, no questions.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Value = boolean | number | string;

/** Nothing listens there; what would go out ends here, whatever asks. */
const DEAD_PROXY = { host: '127.0.0.1', port: 9 } as const;

const NEVER = 2;
const MANUAL = 2;
const VERY_HIGH = 3;

/** Settings a version does not know are ignored by it. */
const SETTINGS: Record<string, Record<string, Value>> = {
  '/org.openoffice.Setup/Office': { ooSetupInstCompleted: true },
  '/org.openoffice.Setup/L10N': { ooLocale: 'en-US' },
  // Operations 3: "Macros never run."
  '/org.openoffice.Office.Common/Security/Scripting': {
    DisableMacrosExecution: true,
    MacroSecurityLevel: VERY_HIGH,
    // Operations 3: "Nothing is fetched from outside": neither addresses nor other files, since no place is trusted.
    BlockUntrustedRefererLinks: true,
    DisableActiveContent: true,
    DisablePythonRuntime: true,
    CheckDocumentEvents: true,
  },
  '/org.openoffice.Office.Writer/Content/Update': { Link: NEVER },
  '/org.openoffice.Office.Calc/Content/Update': { Link: NEVER },
  '/org.openoffice.Inet/Settings': {
    ooInetProxyType: MANUAL,
    ooInetNoProxy: '',
    ooInetHTTPProxyName: DEAD_PROXY.host,
    ooInetHTTPProxyPort: DEAD_PROXY.port,
    ooInetHTTPSProxyName: DEAD_PROXY.host,
    ooInetHTTPSProxyPort: DEAD_PROXY.port,
    ooInetFTPProxyName: DEAD_PROXY.host,
    ooInetFTPProxyPort: DEAD_PROXY.port,
  },
  '/org.openoffice.Office.Java/VirtualMachine': { Enable: false },
  "/org.openoffice.Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments": {
    AutoCheckEnabled: false,
    AutoDownloadEnabled: false,
  },
  '/org.openoffice.Office.Recovery/AutoSave': { Enabled: false },
  '/org.openoffice.Office.Recovery/RecoveryInfo': { Enabled: false },
  // No files of its own beside the document.
  '/org.openoffice.Office.Common/Misc': { UseLocking: false, CrashReport: false },
  '/org.openoffice.Office.Common/History': { PickListSize: 0 },
};

const TYPE_NAMES = { boolean: 'xs:boolean', number: 'xs:int', string: 'xs:string' } as const;

/**
 * Writes the profile into a folder of its own. `buildId` names the LibreOffice that is to use it: one whose extensions
 * were last looked at by the same need not look again, and start twice.
 */
export function writeProfile(dir: string, buildId: string | undefined): void {
  mkdirSync(join(dir, 'user', 'extensions'), { recursive: true, mode: 0o700 });
  if (buildId !== undefined) writeFileSync(join(dir, 'user', 'extensions', 'buildid'), buildId);
  const items = Object.entries(SETTINGS).flatMap(([path, values]) =>
    Object.entries(values).map(([name, value]) => item(path, name, value)),
  );
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    ...items,
    '</oor:items>',
  ];
  writeFileSync(join(dir, 'user', 'registrymodifications.xcu'), xml.join('\n'));
}

const item = (path: string, name: string, value: Value): string =>
  `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse" oor:type="${TYPE_NAMES[typeof value as keyof typeof TYPE_NAMES]}"><value>${value}</value></prop></item>`;
