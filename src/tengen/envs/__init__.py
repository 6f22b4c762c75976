"""PettingZoo environments of the games, for code that learns through PettingZoo's AEC interface.

    from tengen import envs
    env = envs.env("go", size=9, komi=5.5)
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        done = terminated or truncated
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

Needs the extra `envs`. `tengen.batch` steps thousands of games at once and needs nothing but NumPy.
Start reading at `tengen.envs.aec`.
"""

try:
    import pettingzoo  # noqa: F401
except ModuleNotFoundError:
    raise ImportError("The environments need PettingZoo: pip install 'tengen[envs]'.") from None

from tengen.envs.aec import GameEnv, env, raw_env

__all__ = ["GameEnv", "env", "raw_env"]
