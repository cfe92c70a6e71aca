// What stands at the place of a result when it is written: links, devices, pipes, files of other rights.
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dalembert/output/atomic_file.hpp>

#include "temporary_folder.hpp"

namespace dalembert {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::string content(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text, FileAccess access = FileAccess::sequential) {
  AtomicFile file(path, access);
  file.write(text);
  file.commit();
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

struct stat status_of(const fs::path& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status;
}

TEST(AtomicFile, KeepsSymbolicLinksAndReplacesTheirTarget) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "data");
  const fs::path target = folder.path() / "data" / "real.csv";
  const fs::path link = folder.path() / "link.csv";
  const fs::path second = folder.path() / "second.csv";
  write(target, "old");
  fs::create_symlink("data/real.csv", link);
  fs::create_symlink(link, second);
  write(second, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_TRUE(fs::is_symlink(second));
  EXPECT_EQ(content(target), "new");
  EXPECT_EQ(entries(target.parent_path()), 1U);
}

TEST(AtomicFile, MakesTheFileThatALinkPointsTo) {
  const TemporaryFolder folder;
  const fs::path link = folder.path() / "link.csv";
  fs::create_symlink("not_yet.csv", link);
  write(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(folder.path() / "not_yet.csv"), "new");
}

TEST(AtomicFile, LinksInACircleAreAnError) {
  const TemporaryFolder folder;
  fs::create_symlink("b.csv", folder.path() / "a.csv");
  fs::create_symlink("a.csv", folder.path() / "b.csv");
  EXPECT_THROW(write(folder.path() / "a.csv", "x"), OutputError);
}

TEST(AtomicFile, KeepsTheModeOfTheFileThatIsReplaced) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  for (const mode_t mode : {0600U, 0640U, 0664U, 0755U}) {
    write(path, "old");
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    write(path, "new");
    EXPECT_EQ(status_of(path).st_mode & 07777U, mode);
    EXPECT_EQ(content(path), "new");
  }
}

TEST(AtomicFile, NewFilesHaveTheModeThatTheUserWants) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write(folder.path() / "x.csv", "new");
  umask(before);
  EXPECT_EQ(status_of(folder.path() / "x.csv").st_mode & 07777U, 0640U);
}

TEST(AtomicFile, WritesThroughHardLinks) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  const fs::path other = folder.path() / "other.csv";
  write(path, "the old text is longer");
  fs::create_hard_link(path, other);
  write(path, "new");
  EXPECT_EQ(content(other), "new");
  EXPECT_EQ(status_of(path).st_ino, status_of(other).st_ino);
}

TEST(AtomicFile, WritesIntoAPipe) {
  for (const FileAccess access : {FileAccess::sequential, FileAccess::random}) {
    const TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe.csv";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    auto reader = std::async(std::launch::async, [&] { return content(pipe); });
    const std::string text(300'000, 'x');
    write(pipe, text, access);
    EXPECT_EQ(reader.get(), text);
    EXPECT_TRUE(S_ISFIFO(status_of(pipe).st_mode));
    EXPECT_EQ(entries(folder.path()), 1U);
  }
}

TEST(AtomicFile, WritesIntoADeviceAndTellsThatItIsFull) {
  const TemporaryFolder folder;
  const fs::path null = folder.path() / "null.csv";
  const fs::path full = folder.path() / "full.csv";
  if (mknod(null.c_str(), S_IFCHR | 0666U, makedev(1, 3)) != 0 ||
      mknod(full.c_str(), S_IFCHR | 0666U, makedev(1, 7)) != 0)
    GTEST_SKIP() << "only root makes devices";
  if (!std::ofstream(null).is_open()) GTEST_SKIP() << "devices of this folder cannot be opened";
  for (const FileAccess access : {FileAccess::sequential, FileAccess::random}) {
    write(null, "text", access);
    try {
      write(full, "text", access);
      FAIL();
    } catch (const OutputError& error) {
      EXPECT_NE(error.message().find("No space left on device"), std::string::npos) << error.message();
    }
  }
  EXPECT_TRUE(S_ISCHR(status_of(null).st_mode));
  EXPECT_TRUE(S_ISCHR(status_of(full).st_mode));
  EXPECT_EQ(entries(folder.path()), 2U);
}

TEST(AtomicFile, AFolderIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(write(folder.path(), "x"), OutputError);
}

TEST(AtomicFile, TheLongestNameOfAFileIsNotTooLong) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / (std::string(251, 'x') + ".csv");
  write(path, "new");
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(entries(folder.path()), 1U);
}

TEST(AtomicFile, WithoutCommitNothingIsLeftAndTheOldFileStays) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  write(path, "old");
  { AtomicFile(path).write("half"); }
  EXPECT_EQ(content(path), "old");
  EXPECT_EQ(entries(folder.path()), 1U);
}

// A process of its own as the user nobody, for what root may do anyway. Its status is what `act` returns.
template <class Act>
int as_nobody(const Act& act) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(100);
    _exit(act());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int write_status(const fs::path& path) {
  try {
    write(path, "new");
    return 0;
  } catch (const OutputError& error) {
    return error.message().find("Permission denied") != std::string::npos ? 13 : 1;
  }
}

TEST(AtomicFile, AFileThatMayBeWrittenInAFolderThatMayNotIsWrittenInPlace) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  write(path, "the old text is longer");
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  EXPECT_EQ(as_nobody([&] { return write_status(path); }), 0);
  EXPECT_EQ(as_nobody([&] { return write_status(folder.path() / "other.csv"); }), 13);
  ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(status_of(path).st_uid, geteuid());
}

TEST(AtomicFile, AFileThatMayNotBeWrittenIsNotReplaced) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  write(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  EXPECT_EQ(as_nobody([&] { return write_status(path); }), 13);
  EXPECT_EQ(content(path), "old");
}

TEST(AtomicFile, AFileOfAnotherOwnerKeepsIt) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  write(path, "old");
  ASSERT_EQ(chmod(path.c_str(), 0666), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  EXPECT_EQ(as_nobody([&] { return write_status(path); }), 0);
  EXPECT_EQ(status_of(path).st_uid, 0U);
  ASSERT_EQ(chown(path.c_str(), 1234, 2345), 0);
  write(path, "newer");
  EXPECT_EQ(status_of(path).st_uid, 1234U);
  EXPECT_EQ(status_of(path).st_gid, 2345U);
  EXPECT_EQ(content(path), "newer");
}

// The name that a process of this number would give.
fs::path name_of(const AtomicPlace& place, pid_t process) {
  const std::string name = place.temporary().string();
  return name.substr(0, name.rfind('-') + 1) + std::to_string(process) + ".tmp";
}

TEST(AtomicFile, RemovesWhatAKilledProcessLeftAndNothingElse) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "x.csv";
  const pid_t dead = fork();
  if (dead == 0) {
    AtomicFile file(path);
    kill(getpid(), SIGKILL);
  }
  waitpid(dead, nullptr, 0);
  EXPECT_EQ(entries(folder.path()), 1U);
  const AtomicPlace place(path);  // cleans the folder
  EXPECT_EQ(entries(folder.path()), 0U);
  const fs::path of_a_living_one = name_of(place, getppid());
  const fs::path of_another_machine = folder.path() / fmt::format("x.csv.1.0badcafe-{}.tmp", dead);
  const fs::path of_somebody = folder.path() / fmt::format("x.csv.{}.tmp", dead);
  for (const fs::path& other : {of_a_living_one, of_another_machine, of_somebody})
    std::ofstream(other) << "x";
  std::ofstream(name_of(place, dead)) << "x";
  write(folder.path() / "y.csv", "new");
  EXPECT_FALSE(fs::exists(name_of(place, dead)));
  EXPECT_TRUE(fs::exists(of_a_living_one));
  EXPECT_TRUE(fs::exists(of_another_machine));
  EXPECT_TRUE(fs::exists(of_somebody));
}

}  // namespace
}  // namespace dalembert
