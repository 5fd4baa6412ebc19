import type { Upload } from './blocks/context.ts';

/** What was chosen in an input of the type `file`. Empties the input, so that the same file can be chosen again. */
export async function readUploads(input: HTMLInputElement): Promise<Upload[]> {
  const chosen = [...(input.files ?? [])];
  input.value = '';
  return Promise.all(chosen.map(async (file) => ({ name: file.name, content: await toBase64(file) })));
}

/** Without the `data:…;base64,` before it. */
async function toBase64(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
