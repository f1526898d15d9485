import { BoxGeometry, Mesh, MeshBasicMaterial, PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import { expect, test } from 'vitest';

test('WebGL2 draws a red cube', () => {
  const scene = new Scene();
  scene.add(new Mesh(new BoxGeometry(), new MeshBasicMaterial({ color: 0xff0000 })));
  const camera = new PerspectiveCamera(60, 1, 0.1, 10);
  camera.position.z = 3;
  const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.setSize(64, 64);
  renderer.render(scene, camera);

  const gl = renderer.getContext();
  const pixel = (x: number, y: number) => {
    const rgba = new Uint8Array(4);
    gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    return Array.from(rgba);
  };
  expect(gl).toBeInstanceOf(WebGL2RenderingContext);
  expect(renderer.info.render.calls).toBe(1);
  expect(pixel(32, 32)).toEqual([255, 0, 0, 255]);
  expect(pixel(2, 2)).toEqual([0, 0, 0, 255]);
  renderer.dispose();
});
