import { Canvas, useFrame } from '@react-three/fiber';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { BoxGeometry } from 'three';
import { Accelerated, useVisible } from 'three-scene-index/react';

const COUNT = 1200;
const box = new BoxGeometry();
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;

function Block({ number }: { number: number }) {
  const [isHovered, setHovered] = useState(false);
  const angle = 2.39996 * number; // the golden angle fills the wall evenly
  return (
    <mesh
      geometry={box}
      position={[11 * Math.sin(angle), 20 * (number / COUNT - 0.5), 11 * Math.cos(angle)]}
      rotation={[0, angle, 0]}
      scale={[0.75, 0.75, isHovered ? 3 : 0.5 + Math.sin(7 * angle) ** 2]}
      onPointerOver={() => setHovered(true)}
      onPointerOut={() => setHovered(false)}
    >
      <meshLambertMaterial color={isHovered ? '#ffb224' : `hsl(${170 + (60 * number) / COUNT}, 45%, 52%)`} />
    </mesh>
  );
}

/** Shows how many meshes the camera sees, whenever that changes. */
function Count() {
  const visible = useVisible();
  useEffect(() => {
    document.querySelector('output')!.value = `${visible.length} of ${COUNT.toLocaleString('en')} blocks in view`;
  }, [visible]);
  return null;
}

function Turn() {
  useFrame(({ camera, clock }) => {
    camera.rotation.y = still ? 0 : clock.elapsedTime / 8;
  });
  return null;
}

createRoot(document.querySelector('#root')!).render(
  <Canvas camera={{ position: [0, 0, 0], fov: 60 }} dpr={[1, 2]}>
    <Accelerated batch />
    <hemisphereLight args={['#ffffff', '#667788', 2]} />
    <pointLight intensity={60} />
    {Array.from({ length: COUNT }, (_, number) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they never change places
      <Block key={number} number={number} />
    ))}
    <Count />
    <Turn />
  </Canvas>,
);
