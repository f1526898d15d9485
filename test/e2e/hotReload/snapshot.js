/** Own properties and listeners of all objects of a scene, and of what they are made of. */
export function snapshotOf(scene) {
  const lines = [];
  const note = (name, target) => {
    const keys = Reflect.ownKeys(target).filter((key) => key !== '_listeners' && !String(key).startsWith('__r3f'));
    for (const key of keys) {
      const { get, value } = Object.getOwnPropertyDescriptor(target, key);
      lines.push(`${name}.${String(key)}: ${get ? 'accessor' : typeof value}`);
    }
    // three keeps empty lists.
    for (const [type, listeners] of Object.entries(target._listeners ?? {})) {
      if (listeners.length > 0) lines.push(`${name}: ${listeners.length} listeners of ${type}`);
    }
  };
  scene.traverse((object) => {
    for (const part of ['layers', 'geometry', 'material'])
      if (object[part]) note(`${object.type}.${part}`, object[part]);
    note(object.type, object);
  });
  return lines.sort();
}
