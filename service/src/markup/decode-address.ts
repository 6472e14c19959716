/** What is escaped in an address, or the address as it is where that is not done as it should be. */
export function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
