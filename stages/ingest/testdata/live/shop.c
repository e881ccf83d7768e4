/* A program to watch: encrypt takes fifteen times as long while there is a file called slow. */
#include <stdlib.h>
#include <unistd.h>

static volatile double sum;

void compress(void) {
    for (int i = 0; i < 400000; i++) sum += i * 0.5;
}

void encrypt(void) {
    int n = access("slow", F_OK) == 0 ? 3000000 : 200000;
    for (int i = 0; i < n; i++) sum += i * 0.25;
}

void store(void) {
    for (int i = 0; i < 100000; i++) sum += i;
}

void handle(void) {
    compress();
    encrypt();
    store();
    usleep(5000);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    for (int i = 0; i < n; i++) handle();
    return 0;
}
