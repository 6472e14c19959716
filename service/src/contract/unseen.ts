// Characters that show nothing but have power over what is beside them: they end lines and headers, speak to terminals,
// turn the direction of text so that it reads as another, or hide words in it. Joiners stay: scripts and emoji need them.
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export const withoutUnseen = (text: string, instead = ''): string => text.replace(UNSEEN, instead);
