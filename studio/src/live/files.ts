// Files for the visitor's downloads.

export function saveFile(name: string, content: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([content]));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
