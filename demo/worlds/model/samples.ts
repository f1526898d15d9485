import machineUrl from '../../../assets/samples/machine.glb?url';
import officeUrl from '../../../assets/samples/office.glb?url';

/** Models of the page's own, to be measured like a visitor's. */
export const SAMPLES = [
  {
    name: 'office.glb',
    title: 'Office',
    about: 'Three open-plan floors with the same furniture many times.',
    url: officeUrl,
  },
  {
    name: 'machine.glb',
    title: 'Machine',
    about: 'Many parts, each with its own material; gears turn.',
    url: machineUrl,
  },
] as const;

export type Sample = (typeof SAMPLES)[number];

export async function fetchSample({ name, url }: Sample): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return new File([await response.blob()], name);
}
